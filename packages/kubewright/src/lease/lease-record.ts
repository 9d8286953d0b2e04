import { formatMicroTime } from "@kubewright/core/meta";
import type { LeaseSpec } from "../k8s/coordination/v1.gen.js";

/** Who writes a record, when, and for how long. */
export interface RecordWriter {
  readonly identity: string;
  readonly leaseDurationMs: number;
  /** Milliseconds since the epoch. People read it; nobody decides by it. */
  readonly nowMs: number;
}

/** Who holds the lease by this record; "" for nobody. */
export function holderOf(spec: LeaseSpec | undefined): string {
  return spec?.holderIdentity ?? "";
}

/** How long the holder asks others to wait, by its own record; `otherwiseMs` where the record does not say. */
export function durationOf(spec: LeaseSpec | undefined, otherwiseMs: number): number {
  const seconds = spec?.leaseDurationSeconds;
  return seconds !== undefined && seconds > 0 ? seconds * 1_000 : otherwiseMs;
}

/** The record with which the writer takes the lease, or renews it where it is the holder already. */
export function heldRecord(before: LeaseSpec | undefined, writer: RecordWriter): LeaseSpec {
  const { identity, leaseDurationMs, nowMs } = writer;
  const isRenewal = before !== undefined && holderOf(before) === identity;
  const now = formatMicroTime(nowMs);
  const transitions = before?.leaseTransitions ?? 0;
  return {
    ...before,
    holderIdentity: identity,
    // Rounded up: others must not come before the holder's own time is over.
    leaseDurationSeconds: Math.ceil(leaseDurationMs / 1_000),
    acquireTime: isRenewal ? (before.acquireTime ?? now) : now,
    // Others see a renewal by the change. A clock that stands still would make it invisible.
    renewTime: before?.renewTime === now ? formatMicroTime(nowMs + 0.0011) : now,
    leaseTransitions: isRenewal || before === undefined ? transitions : transitions + 1,
  };
}

/** The record with which the holder gives the lease back: anybody may take it at once. */
export function releasedRecord(before: LeaseSpec, nowMs: number): LeaseSpec {
  const now = formatMicroTime(nowMs);
  return { ...before, holderIdentity: "", leaseDurationSeconds: 1, acquireTime: now, renewTime: now };
}
