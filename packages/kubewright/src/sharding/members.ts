import { deepEqual } from "@kubewright/core/json";
import type { ReadOf } from "../definition/index.js";
import type { Lease, LeaseSpec } from "../k8s/coordination/v1.gen.js";
import { durationOf, holderOf } from "../lease/index.js";

/** A snapshot of the members' leases, with the local monotonic times around the request. */
export interface MembersList {
  readonly leases: readonly ReadOf<typeof Lease>[];
  /** Before the request was sent. */
  readonly sentMs: number;
  /** After the response arrived. */
  readonly receivedMs: number;
}

interface Seen {
  readonly spec: LeaseSpec;
  /** When this record was first observed; it was written before. */
  readonly sinceMs: number;
}

/**
 * The live and expired members, by the local monotonic clock.
 *
 * A member is expired if its record did not change for leaseDurationSeconds, from when it was first observed until the last request was sent. Not
 * until now: if this process was paused since that request, the member may have renewed meanwhile. An expired member never comes back: it does not
 * renew after its own deadline, which is earlier.
 */
export class Members {
  readonly #leaseDurationMs: number;
  readonly #seen = new Map<string, Seen>();
  /** Since when an identity has no lease; for shard owners whose lease was deleted. */
  readonly #absent = new Map<string, number>();
  #sentMs = Number.NEGATIVE_INFINITY;
  #receivedMs = Number.NEGATIVE_INFINITY;

  /** `leaseDurationMs` applies to members without a record or without leaseDurationSeconds. */
  constructor(leaseDurationMs: number) {
    this.#leaseDurationMs = leaseDurationMs;
  }

  observe({ leases, sentMs, receivedMs }: MembersList): void {
    const before = new Map(this.#seen);
    this.#seen.clear();
    this.#sentMs = sentMs;
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

  /** The members that were live at the last request. */
  get live(): string[] {
    return [...this.#seen.keys()].filter((identity) => !this.isExpired(identity));
  }

  /** Whether a member has expired, so that its shards may be acquired. A member without a lease is not expired at the first call. */
  isExpired(identity: string): boolean {
    return this.unchangedMs(identity) >= durationOf(this.#seen.get(identity)?.spec, this.#leaseDurationMs);
  }

  /** How long the member's record has not changed, as far as observed. */
  unchangedMs(identity: string): number {
    const seen = this.#seen.get(identity);
    const sinceMs = seen?.sinceMs ?? this.#absent.get(identity) ?? this.#receivedMs;
    if (seen === undefined) this.#absent.set(identity, sinceMs);
    return this.#sentMs - sinceMs;
  }

  /** Forgets absent members that own no shard. */
  forgetAbsent(owners: ReadonlySet<string>): void {
    for (const identity of this.#absent.keys()) if (!owners.has(identity)) this.#absent.delete(identity);
  }
}
