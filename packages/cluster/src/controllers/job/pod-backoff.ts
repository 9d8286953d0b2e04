import type { PodView } from "../pod/index.js";

const baseDelayMs = 10_000;
const maxDelayMs = 600_000;

/** Pod failures of a Job since its last success, and the time of the last one. */
export interface BackoffRecord {
  readonly failures: number;
  readonly lastMs: number;
}

/** The record of a Job without failures. */
export const noFailures: BackoffRecord = { failures: 0, lastMs: 0 };

/** The record after more Pods have finished. */
export function withFinishedPods(
  record: BackoffRecord,
  succeeded: readonly PodView[],
  failed: readonly PodView[],
): BackoffRecord {
  const failures = failed.map(finishedAtMs);
  if (succeeded.length === 0) {
    if (failures.length === 0) return record;
    return { failures: record.failures + failures.length, lastMs: Math.max(...failures) };
  }
  const lastSuccess = Math.max(...succeeded.map(finishedAtMs));
  const later = failures.filter((at) => at > lastSuccess);
  return later.length === 0 ? noFailures : { failures: later.length, lastMs: Math.max(...later) };
}

/** The remaining backoff before a Pod may be created; 0 if none. It doubles with each failure. */
export function remainingBackoffMs({ failures, lastMs }: BackoffRecord, nowMs: number): number {
  if (failures === 0) return 0;
  // The maximum is reached at 2^6; the limit of the exponent prevents overflow.
  const waitMs = Math.min(baseDelayMs * 2 ** Math.min(failures - 1, 10), maxDelayMs);
  return Math.max(0, waitMs - (nowMs - lastMs));
}

/** When the Pod finished: by its containers, else by its Ready condition, its deletion or its creation. */
export function finishedAtMs(pod: PodView): number {
  const { metadata, spec, status } = pod;
  const sidecars = new Set(
    spec?.initContainers?.flatMap(({ name, restartPolicy }) => (restartPolicy === "Always" ? [name] : [])),
  );
  const finishTimes = [
    ...(status?.containerStatuses ?? []),
    ...(status?.initContainerStatuses ?? []).filter(({ name }) => sidecars.has(name)),
  ].map(({ state }) => state?.terminated?.finishedAt);
  const known = finishTimes.flatMap((at) => (at === undefined ? [] : [Date.parse(at)]));
  if (known.length > 0 && known.length === finishTimes.length) return Math.max(...known);
  const unready = status?.conditions?.find(({ type, status: is }) => type === "Ready" && is === "False");
  if (unready?.lastTransitionTime !== undefined) return Date.parse(unready.lastTransitionTime);
  const { deletionTimestamp, deletionGracePeriodSeconds = 0, creationTimestamp } = metadata;
  if (deletionTimestamp !== undefined)
    return Date.parse(deletionTimestamp) - Number(deletionGracePeriodSeconds) * 1_000;
  return Date.parse(creationTimestamp);
}
