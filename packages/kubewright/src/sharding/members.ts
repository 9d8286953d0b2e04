import { deepEqual } from "@kubewright/core/json";
import type { ReadOf } from "../definition/index.js";
import type { Lease, LeaseSpec } from "../k8s/coordination/v1.gen.js";
import { durationOf, holderOf } from "../lease/index.js";

/** The members' leases at one moment, read between two moments of our own monotonic clock. */
export interface MembersList {
  readonly leases: readonly ReadOf<typeof Lease>[];
  /** Before the list was asked for. */
  readonly sentMs: number;
  /** After its answer came. */
  readonly receivedMs: number;
}

interface Seen {
  readonly spec: LeaseSpec;
  /** When this record was first seen: it was written before. */
  readonly sinceMs: number;
}

/**
 * Who shares the work, and who has gone, judged by our own monotonic clock.
 *
 * A member is gone when its record has not changed for its whole duration, from when we first saw it until we asked last. Why until we asked, and
 * not until now: whoever was paused since then does not know whether it was renewed. A member that is gone never comes back: it does not
 * renew after its deadline, which lies before that moment.
 */
export class Members {
  readonly #leaseDurationMs: number;
  readonly #seen = new Map<string, Seen>();
  /** Since when an identity has no lease; for owners of shards that somebody deleted the lease of. */
  readonly #absent = new Map<string, number>();
  #askedMs = Number.NEGATIVE_INFINITY;
  #receivedMs = Number.NEGATIVE_INFINITY;

  /** `leaseDurationMs` is for members whose record is not there, or does not say. */
  constructor(leaseDurationMs: number) {
    this.#leaseDurationMs = leaseDurationMs;
  }

  observe({ leases, sentMs, receivedMs }: MembersList): void {
    const before = new Map(this.#seen);
    this.#seen.clear();
    this.#askedMs = sentMs;
    this.#receivedMs = receivedMs;
    for (const { spec } of leases) {
      const identity = holderOf(spec);
      if (spec === undefined || identity === "") continue;
      const known = before.get(identity);
      const isSame = known !== undefined && deepEqual(known.spec, spec);
      this.#seen.set(identity, isSame ? known : { spec, sinceMs: receivedMs });
      this.#absent.delete(identity);
    }
  }

  /** Those that were there when we asked last. */
  get live(): string[] {
    return [...this.#seen.keys()].filter((identity) => !this.isGone(identity));
  }

  /** Whether a member has gone, so that what it owned may be taken. The first time that one without a lease is asked for, it is not. */
  isGone(identity: string): boolean {
    return this.silentMs(identity) >= durationOf(this.#seen.get(identity)?.spec, this.#leaseDurationMs);
  }

  /** For how long, as far as we know, a member has given no sign. */
  silentMs(identity: string): number {
    const seen = this.#seen.get(identity);
    const sinceMs = seen?.sinceMs ?? this.#absent.get(identity) ?? this.#receivedMs;
    if (seen === undefined) this.#absent.set(identity, sinceMs);
    return this.#askedMs - sinceMs;
  }

  /** Forgets who was absent, but for these: the owners of shards. */
  forgetAbsent(owners: ReadonlySet<string>): void {
    for (const identity of this.#absent.keys()) if (!owners.has(identity)) this.#absent.delete(identity);
  }
}
