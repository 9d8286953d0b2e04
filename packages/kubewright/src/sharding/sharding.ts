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

/** What sharing the work needs. */
export interface ShardingParts {
  readonly settings: ShardingSettings;
  readonly client: Client;
  readonly clock: Clock;
  /** Between 0 and 1. */
  readonly random: () => number;
  readonly logger: Logger;
  /** Of this member's own lease: nothing is owned without it. */
  readonly leadership: Pick<Leadership, "leading">;
}

/** A member that has been silent for so many lease durations, and owns nothing, is forgotten. */
const forgottenAfter = 10;

/**
 * Shares the objects of an operator among its replicas: each key belongs to a shard, each shard to one replica.
 *
 * Every replica renews one Lease of its own, and does nothing after that Lease's renew deadline. A shard is a Lease that is written when it changes
 * hands: its owner gives it back when its runs have ended, or another takes it when the owner's own Lease has run out. So a key never has two
 * owners, for the same reason as there are never two leaders. Who should own what follows from who is there; replicas that disagree about
 * that for a while wait for each other.
 */
export class Sharding {
  readonly #parts: ShardingParts;
  readonly #leases: ShardLeases;
  readonly #members: Members;
  readonly #owned: OwnedShards;
  /** Shards whose runs are ending, or which are being given back. */
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

  /** Which keys are this process'. */
  get ownership(): KeyOwnership {
    return this.#owned;
  }

  /** How many shards are this process'. */
  get ownedShards(): number {
    return this.#owned.all.length;
  }

  /** Begins to take shards; for when this member holds its own lease, and its controllers listen. */
  start(): void {
    this.#running = this.#run(this.#stop.signal);
  }

  /** Stops, and gives all shards back; for when all runs have ended. Never rejects. */
  async release(): Promise<void> {
    await this.abandon();
    for (const shard of this.#owned.all) this.#leave(shard, new AbortController().signal);
    await Promise.all(this.#leaving.values());
  }

  /** Stops at once; what is owned is taken by others when this member's lease has run out. Never rejects. */
  async abandon(): Promise<void> {
    this.#stop.abort(new Error("The sharding ends"));
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
        if (!signal.aborted) logger.warn({ err }, "Shards could not be looked at, will retry");
      }
      await sleep(clock, settings.member.timing.retryPeriodMs * (1 + 0.2 * random()), signal);
    }
  }

  async #agreedCount(signal: AbortSignal): Promise<number> {
    const { settings, logger } = this.#parts;
    const count = await this.#leases.count(settings.shards, signal);
    if (count !== settings.shards)
      logger.warn({ shards: count, wanted: settings.shards }, "There is another number of shards already, it holds");
    this.#owned.setCount(count);
    return count;
  }

  async #round(count: number, signal: AbortSignal): Promise<void> {
    const { logger, leadership, settings } = this.#parts;
    const me = settings.member.identity;
    const state = await this.#leases.read(signal);
    this.#members.observe(state.members);
    if (!leadership.leading) return;
    const wanted = assignShards(count, [...new Set([...this.#members.live, me])]);
    const taking: number[] = [];
    for (const [shard, owner] of wanted.entries()) {
      if (this.#leaving.has(shard)) continue;
      const holder = holderOf(state.shards.get(shard)?.spec);
      if (this.#owned.has(shard) && holder !== me) {
        logger.error({ shard, holder }, "Shard was taken by hand, its runs are aborted");
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
    return holder === "" || holder === this.#parts.settings.member.identity || this.#members.isGone(holder);
  }

  async #take(shards: readonly number[], state: ShardingState, signal: AbortSignal): Promise<void> {
    const taken = await Promise.all(
      shards.map(async (shard) => {
        try {
          return (await this.#leases.take(shard, state.shards.get(shard), signal)) ? [shard] : [];
        } catch (err) {
          // The write may have been carried out; then the next round finds the shard to be ours.
          if (!signal.aborted) this.#parts.logger.warn({ err, shard }, "Shard could not be taken, will retry");
          return [];
        }
      }),
    );
    if (signal.aborted || taken.flat().length === 0) return;
    this.#owned.gain(taken.flat());
    this.#parts.logger.info({ gained: taken.flat(), owned: this.ownedShards }, "Shards are ours");
  }

  #leave(shard: number, signal: AbortSignal): void {
    const leaving = this.#owned
      .lose(shard)
      .then(() => this.#leases.release(shard, signal))
      .catch((err: unknown) => {
        if (!signal.aborted) this.#parts.logger.warn({ err, shard }, "Shard could not be given back, will retry");
      })
      .finally(() => this.#leaving.delete(shard));
    this.#leaving.set(shard, leaving);
  }

  /** Removes the leases of members that went long ago and own nothing. One does it: the first of those who are there. */
  async #forget({ members, shards }: ShardingState, signal: AbortSignal): Promise<void> {
    const { settings } = this.#parts;
    const owners = new Set([...shards.values()].map(({ spec }) => holderOf(spec)));
    this.#members.forgetAbsent(owners);
    if ([...this.#members.live].sort()[0] !== settings.member.identity) return;
    const longMs = forgottenAfter * settings.member.timing.leaseDurationMs;
    for (const lease of members.leases) {
      const identity = holderOf(lease.spec);
      const isForgotten = identity === "" || (!owners.has(identity) && this.#members.silentMs(identity) >= longMs);
      if (isForgotten) await this.#leases.removeMember(lease, signal);
    }
  }
}
