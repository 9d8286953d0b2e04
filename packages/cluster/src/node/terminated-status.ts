import { formatTime } from "@kubewright/core/meta";
import type { ReadContainerStatus, ReadPod, ReadPodStatus } from "./read-objects.js";

/** Whether the Pod's phase is Succeeded or Failed. */
export function isTerminal({ status }: ReadPod): boolean {
  return status?.phase === "Succeeded" || status?.phase === "Failed";
}

/** The status of a Pod whose containers were terminated by a deletion. */
export function terminatedStatus(pod: ReadPod, nowMs: number): ReadPodStatus {
  return { phase: "Failed", ...terminatedContainers(pod, nowMs) };
}

/** The status of a Pod that exceeded its activeDeadlineSeconds. */
export function deadlineExceededStatus(pod: ReadPod, nowMs: number): ReadPodStatus {
  const message = "Pod was active on the node longer than the specified deadline";
  return { phase: "Failed", reason: "DeadlineExceeded", message, ...terminatedContainers(pod, nowMs) };
}

/** When activeDeadlineSeconds is exceeded; Infinity if it is not set. */
export function activeDeadlineMs({ spec, status }: ReadPod, startedMs: number): number {
  const seconds = spec?.activeDeadlineSeconds;
  if (seconds === undefined) return Number.POSITIVE_INFINITY;
  return (status?.startTime === undefined ? startedMs : Date.parse(status.startTime)) + seconds * 1_000;
}

function terminatedContainers({ metadata, status }: ReadPod, nowMs: number): ReadPodStatus {
  const now = formatTime(nowMs);
  const terminate = (one: ReadContainerStatus): ReadContainerStatus =>
    one.state?.terminated !== undefined
      ? one
      : { ...one, ready: false, started: false, state: { terminated: terminatedState(one, now) } };
  const unready = ["Ready", "ContainersReady"].map((type) => {
    const before = status?.conditions?.find((condition) => condition.type === type);
    const lastTransitionTime = before?.status === "False" ? before.lastTransitionTime : now;
    const observedGeneration = metadata.generation;
    return { type, status: "False", reason: "PodFailed", lastTransitionTime, observedGeneration };
  });
  const { containerStatuses = [], ephemeralContainerStatuses: ephemeral } = status ?? {};
  return {
    conditions: unready,
    containerStatuses: containerStatuses.map(terminate),
    ...(ephemeral === undefined ? {} : { ephemeralContainerStatuses: ephemeral.map(terminate) }),
  };
}

/** Exit code 143: unhandled SIGTERM. */
function terminatedState({ state, containerID }: ReadContainerStatus, now: string) {
  const startedAt = state?.running?.startedAt ?? now;
  return {
    exitCode: 143,
    reason: "Error",
    startedAt,
    finishedAt: now,
    ...(containerID === undefined ? {} : { containerID }),
  };
}
