import type { ReadOf } from "kubewright";
import type { Pod } from "kubewright/k8s/core/v1";

/** A Pod from the cache. */
export type PodView = ReadOf<typeof Pod>;

/** Whether the Pod's Ready condition is True. */
export function isPodReady(pod: PodView): boolean {
  return pod.status?.conditions?.some(({ type, status }) => type === "Ready" && status === "True") ?? false;
}

/** Since when the Pod is ready, in milliseconds since the epoch; undefined if it is not ready or the time is unknown. */
export function readySince(pod: PodView): number | undefined {
  const ready = pod.status?.conditions?.find(({ type, status }) => type === "Ready" && status === "True");
  return ready?.lastTransitionTime === undefined ? undefined : Date.parse(ready.lastTransitionTime);
}

/** Whether the Pod has been ready for minReadySeconds. */
export function isPodAvailable(pod: PodView, minReadySeconds: number, nowMs: number): boolean {
  if (!isPodReady(pod)) return false;
  if (minReadySeconds === 0) return true;
  const since = readySince(pod);
  return since !== undefined && since + minReadySeconds * 1_000 <= nowMs;
}

/**
 * Milliseconds until the first ready Pod becomes available; undefined if there is none. It is at least 1, so that the caller does not
 * requeue immediately.
 */
export function nextAvailableInMs(
  pods: readonly PodView[],
  minReadySeconds: number,
  nowMs: number,
): number | undefined {
  const waits = pods
    .filter((pod) => !isPodAvailable(pod, minReadySeconds, nowMs))
    .flatMap((pod) => readySince(pod) ?? [])
    .map((since) => Math.max(1, since + minReadySeconds * 1_000 - nowMs));
  return waits.length === 0 ? undefined : Math.min(...waits);
}

/** Whether the Pod's phase is Succeeded or Failed. */
export function isPodTerminal(pod: PodView): boolean {
  return pod.status?.phase === "Succeeded" || pod.status?.phase === "Failed";
}

/** Whether the Pod is neither terminal nor being deleted. */
export function isPodActive(pod: PodView): boolean {
  return !isPodTerminal(pod) && pod.metadata.deletionTimestamp === undefined;
}

/** Whether the Pod is being deleted and not yet terminal. */
export function isPodTerminating(pod: PodView): boolean {
  return !isPodTerminal(pod) && pod.metadata.deletionTimestamp !== undefined;
}
