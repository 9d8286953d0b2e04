import { formatMicroTime } from "@kubewright/core/meta";
import type { LeaseSpec } from "../k8s/coordination/v1.gen.js";

/** The values that {@link heldRecord} writes. */
export interface RecordWriter {
  readonly identity: string;
  readonly leaseDurationMs: number;
  /** Milliseconds since the epoch. Informational: no decision depends on it. */
  readonly nowMs: number;
}

/** Returns the holderIdentity; "" if the lease is free. */
export function holderOf(spec: LeaseSpec | undefined): string {
  return spec?.holderIdentity ?? "";
}

/** Returns the leaseDurationSeconds of the record in ms; `otherwiseMs` if it is not set. */
export function durationOf(spec: LeaseSpec | undefined, otherwiseMs: number): number {
  const seconds = spec?.leaseDurationSeconds;
  return seconds !== undefined && seconds > 0 ? seconds * 1_000 : otherwiseMs;
}

/** Returns the record that acquires the lease, or renews it if the writer is the holder. */
export function heldRecord(before: LeaseSpec | undefined, writer: RecordWriter): LeaseSpec {
  const { identity, leaseDurationMs, nowMs } = writer;
  const isRenewal = before !== undefined && holderOf(before) === identity;
  const now = formatMicroTime(nowMs);
  const transitions = before?.leaseTransitions ?? 0;
  return {
    ...before,
    holderIdentity: identity,
    // Rounded up: other candidates must not take over before the holder's own deadline.
    leaseDurationSeconds: Math.ceil(leaseDurationMs / 1_000),
    acquireTime: isRenewal ? (before.acquireTime ?? now) : now,
    // Other candidates detect a renewal by the change, so renewTime must change even if the clock does not advance.
    renewTime: before?.renewTime === now ? formatMicroTime(nowMs + 0.0011) : now,
    leaseTransitions: isRenewal || before === undefined ? transitions : transitions + 1,
  };
}

/** Returns the record that releases the lease, so that another candidate can acquire it at once. */
export function releasedRecord(before: LeaseSpec, nowMs: number): LeaseSpec {
  const now = formatMicroTime(nowMs);
  return { ...before, holderIdentity: "", leaseDurationSeconds: 1, acquireTime: now, renewTime: now };
}
