import type { Clock } from "@kubewright/core/clock";
import { isConflict, isNotFound } from "@kubewright/core/errors";
import { deepEqual } from "@kubewright/core/json";
import type { Client } from "../client/index.js";
import type { ReadOf } from "../definition/index.js";
import { Lease } from "../k8s/coordination/v1.gen.js";
import { boundedRequest } from "./bounded-request.js";
import { durationOf, heldRecord, holderOf, releasedRecord } from "./lease-record.js";
import { type LeaseTiming, requestTimeoutMs } from "./lease-timing.js";

/** Options of {@link LeaseContender}. */
export interface LeaseContenderOptions {
  readonly client: Client;
  readonly clock: Clock;
  readonly name: string;
  readonly namespace: string;
  /** Unique among all candidates. */
  readonly identity: string;
  readonly timing: LeaseTiming;
}

/** The result of an attempt. `deadlineMs` is by the monotonic clock, and may have passed already if the server was slow. */
export type LeaseAttempt =
  | { readonly kind: "held"; readonly deadlineMs: number }
  | { readonly kind: "other"; readonly holder: string };

interface Seen {
  readonly lease: ReadOf<typeof Lease>;
  /** When the record was last observed to change. */
  readonly sinceMs: number;
}

/**
 * One candidate for a lease: makes single attempts to acquire or renew it, and releases it.
 *
 * Guarantees: a lease held by another process is taken only if its record did not change for leaseDurationSeconds, by the local monotonic clock,
 * counted from when the record was observed. The timestamps in the record are ignored. The deadline of a success counts from before its request
 * was sent. So two processes whose clocks run at the same rate never lead at the same time, regardless of server latency.
 */
export class LeaseContender {
  readonly #options: LeaseContenderOptions;
  #seen: Seen | undefined;
  /** A write got no response: the server may have processed it. */
  #isUncertain = false;

  constructor(options: LeaseContenderOptions) {
    this.#options = options;
  }

  /** Acquires or renews the lease if it is free, expired or held. Rejects if the server rejects the request, fails or times out. */
  async attempt(signal: AbortSignal): Promise<LeaseAttempt> {
    const { identity } = this.#options;
    if (this.#seen !== undefined && holderOf(this.#seen.lease.spec) === identity) {
      try {
        return await this.#write(this.#seen.lease, signal);
      } catch (error) {
        if (!isConflict(error) && !isNotFound(error)) throw error;
      }
    }
    const lease = await this.#read(signal);
    const other = this.#otherHolder(lease);
    return other === undefined ? this.#write(lease, signal) : { kind: "other", holder: other };
  }

  /** Releases the lease if this process holds it. Retries conflicts; rejects on other failures. */
  async release(signal: AbortSignal): Promise<void> {
    const { client, clock, identity } = this.#options;
    let lease = this.#isUncertain ? await this.#read(signal) : this.#seen?.lease;
    while (lease !== undefined && holderOf(lease.spec) === identity) {
      const { metadata, spec } = lease;
      const released = { metadata, spec: releasedRecord(spec, clock.now()) };
      try {
        await this.#within(signal, (both) => client.update(Lease, released, { signal: both }));
        this.#seen = undefined;
        return;
      } catch (error) {
        if (isNotFound(error)) return;
        if (!isConflict(error)) throw error;
      }
      lease = await this.#read(signal);
    }
  }

  /** Reads the lease and records when it changed. */
  async #read(signal: AbortSignal): Promise<Seen["lease"] | undefined> {
    const { client, name, namespace } = this.#options;
    const lease = await this.#within(signal, (both) => client.find(Lease, { namespace, name }, { signal: both }));
    if (lease !== undefined) this.#saw(lease);
    return lease;
  }

  /** Call it after the response arrived: the record may have changed after the request was sent. */
  #saw(lease: Seen["lease"]): void {
    const isChanged = this.#seen === undefined || !deepEqual(this.#seen.lease.spec, lease.spec);
    this.#seen = { lease, sinceMs: isChanged || !this.#seen ? this.#options.clock.monotonic() : this.#seen.sinceMs };
  }

  /** Returns another process that holds the lease. After a deletion the last observed holder may still act as leader. */
  #otherHolder(lease: Seen["lease"] | undefined): string | undefined {
    const { identity, timing, clock } = this.#options;
    if (this.#seen === undefined) return undefined;
    const { spec } = lease ?? this.#seen.lease;
    const holder = holderOf(spec);
    if (holder === "" || holder === identity) return undefined;
    const untilMs = this.#seen.sinceMs + durationOf(spec, timing.leaseDurationMs);
    return clock.monotonic() < untilMs ? holder : undefined;
  }

  async #write(before: Seen["lease"] | undefined, signal: AbortSignal): Promise<LeaseAttempt> {
    const { client, clock, identity, name, namespace, timing } = this.#options;
    const { leaseDurationMs, renewDeadlineMs } = timing;
    const spec = heldRecord(before?.spec, { identity, leaseDurationMs, nowMs: clock.now() });
    const sentMs = clock.monotonic();
    this.#isUncertain = true;
    const lease = await this.#within(signal, (both) =>
      before === undefined
        ? client.create(Lease, { metadata: { namespace, name }, spec }, { signal: both })
        : client.update(Lease, { metadata: before.metadata, spec }, { signal: both }),
    );
    this.#isUncertain = false;
    this.#saw(lease);
    return { kind: "held", deadlineMs: sentMs + renewDeadlineMs };
  }

  #within<T>(signal: AbortSignal, send: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const { clock, timing, namespace, name } = this.#options;
    const what = `Lease "${namespace}/${name}"`;
    return boundedRequest({ clock, timeoutMs: requestTimeoutMs(timing), signal, what }, send);
  }
}
