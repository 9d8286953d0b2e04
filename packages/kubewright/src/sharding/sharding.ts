import { type Clock, sleep } from "@kubewright/core/clock";
import type { Logger } from "@kubewright/core/log";
import type { Client } from "../client/index.js";
import { holderOf, type Leadership } from "../lease/index.js";
import type { KeyOwnership } from "../reconcile/index.js";
import { assignShards } from "./assign-shards.js";
import { Members } from "./members.js";
import { OwnedShards } from "./owned-shards.js";
import { type ShardingState, ShardLeases } from "./shard-leases.js";
import type { ShardingSettings } from "./sharding-options.js";

/** Dependencies of {@link Sharding}. */
export interface ShardingParts {
  readonly settings: ShardingSettings;
  readonly client: Client;
  readonly clock: Clock;
  /** Between 0 and 1. */
  readonly random: () => number;
  readonly logger: Logger;
  /** The leadership of this member's own lease: without it the member owns nothing. */
  readonly leadership: Pick<Leadership, "leading">;
}

/** The lease of an expired member without shards is deleted after this many lease durations. */
const forgottenAfter = 10;

/**
 * Distributes the objects of an operator over its replicas: each key belongs to a shard, each shard to one replica.
 *
 * Every replica renews its own Lease, and does nothing after that Lease's renew deadline. A shard is a Lease that is written only when its owner
 * changes: the owner releases it after its reconciles have finished, or another replica acquires it after the owner's Lease expired. So a key never
 * has two owners, for the same reason that there are never two leaders. The desired assignment follows from the live members; replicas that
 * temporarily disagree wait for each other.
 */
export class Sharding {
  readonly #parts: ShardingParts;
  readonly #leases: ShardLeases;
  readonly #members: Members;
  readonly #owned: OwnedShards;
  /** Shards that are draining or being released. */
  readonly #leaving = new Map<number, Promise<void>>();
  readonly #stop = new AbortController();
  #running: Promise<void> = Promise.resolve();

  constructor(parts: ShardingParts) {
    const { settings, client, clock, leadership } = parts;
    this.#parts = parts;
    this.#leases = new ShardLeases({ client, clock, name: settings.name, settings: settings.member });
    this.#members = new Members(settings.member.timing.leaseDurationMs);
    this.#owned = new OwnedShards({ leadership, clock, timing: settings.member.timing });
  }

  /** The keys that this replica owns. */
  get ownership(): KeyOwnership {
    return this.#owned;
  }

  /** The number of shards that this replica owns. */
  get ownedShards(): number {
    return this.#owned.all.length;
  }

  /** Starts to acquire shards. Call it when this member holds its own lease and its controllers have subscribed. */
  start(): void {
    this.#running = this.#run(this.#stop.signal);
  }

  /** Stops, and releases all shards. Call it after all reconciles have finished. Never rejects. */
  async release(): Promise<void> {
    await this.abandon();
    for (const shard of this.#owned.all) this.#leave(shard, new AbortController().signal);
    await Promise.all(this.#leaving.values());
  }

  /** Stops without a release; other replicas acquire the shards when this member's lease expires. Never rejects. */
  async abandon(): Promise<void> {
    this.#stop.abort(new Error("The sharding is stopping"));
    await this.#running;
  }

  async #run(signal: AbortSignal): Promise<void> {
    const { clock, random, logger, settings } = this.#parts;
    let count: number | undefined;
    while (!signal.aborted) {
      try {
        count ??= await this.#agreedCount(signal);
        await this.#round(count, signal);
      } catch (err) {
        if (!signal.aborted) logger.warn({ err }, "Cannot read the shard Leases, will retry");
      }
      await sleep(clock, settings.member.timing.retryPeriodMs * (1 + 0.2 * random()), signal);
    }
  }

  async #agreedCount(signal: AbortSignal): Promise<number> {
    const { settings, logger } = this.#parts;
    const count = await this.#leases.count(settings.shards, signal);
    if (count !== settings.shards)
      logger.warn(
        { shards: count, configured: settings.shards },
        "Configured number of shards ignored, another one is already stored",
      );
    this.#owned.setCount(count);
    return count;
  }

  async #round(count: number, signal: AbortSignal): Promise<void> {
    const { logger, leadership, settings } = this.#parts;
    const me = settings.member.identity;
    const state = await this.#leases.read(signal);
    this.#members.observe(state.members);
    if (!leadership.leading) return;
    const desired = assignShards(count, [...new Set([...this.#members.live, me])]);
    const taking: number[] = [];
    for (const [shard, owner] of desired.entries()) {
      if (this.#leaving.has(shard)) continue;
      const holder = holderOf(state.shards.get(shard)?.spec);
      if (this.#owned.has(shard) && holder !== me) {
        logger.error({ shard, holder }, "Shard Lease has another holder, aborting its reconciles");
        this.#leaving.set(
          shard,
          this.#owned.lose(shard, { atOnce: true }).finally(() => this.#leaving.delete(shard)),
        );
      } else if (owner !== me) {
        if (holder === me) this.#leave(shard, signal);
      } else if (!this.#owned.has(shard) && this.#isFree(holder)) taking.push(shard);
    }
    await this.#take(taking, state, signal);
    await this.#forget(state, signal);
  }

  #isFree(holder: string): boolean {
    return holder === "" || holder === this.#parts.settings.member.identity || this.#members.isExpired(holder);
  }

  async #take(shards: readonly number[], state: ShardingState, signal: AbortSignal): Promise<void> {
    const taken = await Promise.all(
      shards.map(async (shard) => {
        try {
          return (await this.#leases.take(shard, state.shards.get(shard), signal)) ? [shard] : [];
        } catch (err) {
          // The server may have processed the write; then the next round finds this replica as holder.
          if (!signal.aborted) this.#parts.logger.warn({ err, shard }, "Cannot acquire the shard, will retry");
          return [];
        }
      }),
    );
    if (signal.aborted || taken.flat().length === 0) return;
    this.#owned.gain(taken.flat());
    this.#parts.logger.info({ gained: taken.flat(), owned: this.ownedShards }, "Shards acquired");
  }

  #leave(shard: number, signal: AbortSignal): void {
    const leaving = this.#owned
      .lose(shard)
      .then(() => this.#leases.release(shard, signal))
      .catch((err: unknown) => {
        if (!signal.aborted) this.#parts.logger.warn({ err, shard }, "Cannot release the shard, will retry");
      })
      .finally(() => this.#leaving.delete(shard));
    this.#leaving.set(shard, leaving);
  }

  /** Deletes the leases of members that expired long ago and own no shard. Only the first live member does this. */
  async #forget({ members, shards }: ShardingState, signal: AbortSignal): Promise<void> {
    const { settings } = this.#parts;
    const owners = new Set([...shards.values()].map(({ spec }) => holderOf(spec)));
    this.#members.forgetAbsent(owners);
    if ([...this.#members.live].sort()[0] !== settings.member.identity) return;
    const longMs = forgottenAfter * settings.member.timing.leaseDurationMs;
    for (const lease of members.leases) {
      const identity = holderOf(lease.spec);
      const isForgotten = identity === "" || (!owners.has(identity) && this.#members.unchangedMs(identity) >= longMs);
      if (isForgotten) await this.#leases.removeMember(lease, signal);
    }
  }
}
