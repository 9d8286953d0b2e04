import type { ReadOf } from "kubewright";
import type { Pod } from "kubewright/k8s/core/v1";

/** A pod as it was read. */
export type PodView = ReadOf<typeof Pod>;

/** Whether the pod says that it is ready. */
export function isPodReady(pod: PodView): boolean {
  return pod.status?.conditions?.some(({ type, status }) => type === "Ready" && status === "True") ?? false;
}

/** Since when the pod is ready, in milliseconds since the epoch; undefined where it is not, or does not say. */
export function readySince(pod: PodView): number | undefined {
  const ready = pod.status?.conditions?.find(({ type, status }) => type === "Ready" && status === "True");
  return ready?.lastTransitionTime === undefined ? undefined : Date.parse(ready.lastTransitionTime);
}

/** Whether the pod has been ready for long enough to count on it. */
export function isPodAvailable(pod: PodView, minReadySeconds: number, nowMs: number): boolean {
  if (!isPodReady(pod)) return false;
  if (minReadySeconds === 0) return true;
  const since = readySince(pod);
  return since !== undefined && since + minReadySeconds * 1_000 <= nowMs;
}

/**
 * In how many milliseconds the first of the pods that are ready becomes available; undefined when none is on its way. Never zero, so
 * that whoever waits for it does wait.
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

/** Whether the pod has ended, whatever came of it. */
export function hasPodEnded(pod: PodView): boolean {
  return pod.status?.phase === "Succeeded" || pod.status?.phase === "Failed";
}

/** Whether the pod runs or will run: it has not ended, and is not being deleted. */
export function isPodActive(pod: PodView): boolean {
  return !hasPodEnded(pod) && pod.metadata.deletionTimestamp === undefined;
}

/** Whether the pod is being deleted and has not ended yet. */
export function isPodTerminating(pod: PodView): boolean {
  return !hasPodEnded(pod) && pod.metadata.deletionTimestamp !== undefined;
}
