import { type Clock, sleep } from "@kubewright/core/clock";
import { OperatorError } from "@kubewright/core/errors";
import type { Leadership, LeaseTiming } from "../lease/index.js";
import type { KeyOwnership, KeyTurn } from "../reconcile/index.js";
import { shardOf } from "./assign-shards.js";

/** Options of {@link OwnedShards}. */
export interface OwnedShardsOptions {
  readonly leadership: Pick<Leadership, "leading">;
  readonly clock: Clock;
  readonly timing: LeaseTiming;
}

interface OwnedShard {
  readonly leave: AbortController;
  runs: number;
}

/**
 * The shards that this replica owns.
 *
 * Guarantees: no reconcile starts for a key whose shard is not owned, or after the renew deadline of the replica's lease; a shard is released only
 * after all its reconciles have finished. They have a grace period to finish. An aborted reconcile may leave requests that the server has not
 * processed yet: the release then waits as long as the time between renew deadline and lease duration.
 */
export class OwnedShards implements KeyOwnership {
  readonly #leadership: Pick<Leadership, "leading">;
  readonly #clock: Clock;
  readonly #graceMs: number;
  readonly #marginMs: number;
  readonly #owned = new Map<number, OwnedShard>();
  readonly #listeners = new Set<(isGained: (key: string) => boolean) => void>();
  readonly #draining = new Set<() => void>();
  #count: number | undefined;

  constructor({ leadership, clock, timing }: OwnedShardsOptions) {
    this.#leadership = leadership;
    this.#clock = clock;
    this.#graceMs = timing.leaseDurationMs;
    this.#marginMs = timing.leaseDurationMs - timing.renewDeadlineMs;
  }

  /** Sets the total number of shards. */
  setCount(count: number): void {
    this.#count = count;
  }

  has(shard: number): boolean {
    return this.#owned.has(shard);
  }

  get all(): number[] {
    return [...this.#owned.keys()];
  }

  owns(key: string): boolean {
    return this.#count !== undefined && this.#owned.has(shardOf(key, this.#count));
  }

  enter(key: string): KeyTurn | undefined {
    if (this.#count === undefined || !this.#leadership.leading) return undefined;
    const shard = this.#owned.get(shardOf(key, this.#count));
    if (shard === undefined) return undefined;
    shard.runs += 1;
    return {
      signal: shard.leave.signal,
      end: () => {
        shard.runs -= 1;
        if (shard.runs === 0) for (const check of [...this.#draining]) check();
      },
    };
  }

  onGained(listener: (isGained: (key: string) => boolean) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** This replica owns these shards from now on. */
  gain(shards: readonly number[]): void {
    const count = this.#count;
    if (count === undefined || shards.length === 0) return;
    const gained = new Set(shards);
    for (const shard of gained) this.#owned.set(shard, { leave: new AbortController(), runs: 0 });
    for (const listener of this.#listeners) listener((key) => gained.has(shardOf(key, count)));
  }

  /** Starts no more reconciles for the shard. Resolves when the running ones have finished; `atOnce` aborts them without a grace period. */
  async lose(shard: number, { atOnce = false }: { readonly atOnce?: boolean } = {}): Promise<void> {
    const lost = this.#owned.get(shard);
    if (lost === undefined) return;
    this.#owned.delete(shard);
    if (lost.runs === 0) return;
    const drained = this.#drained(lost);
    const grace = this.#clock.startTimer(atOnce ? 0 : this.#graceMs, () => {
      lost.leave.abort(
        new OperatorError("STOPPED", `Cannot continue the reconcile: shard ${shard} moves to another replica`),
      );
    });
    await drained;
    grace.cancel();
    if (lost.leave.signal.aborted) await sleep(this.#clock, this.#marginMs);
  }

  #drained(shard: OwnedShard): Promise<void> {
    return new Promise((resolve) => {
      const check = (): void => {
        if (shard.runs > 0) return;
        this.#draining.delete(check);
        resolve();
      };
      this.#draining.add(check);
    });
  }
}
