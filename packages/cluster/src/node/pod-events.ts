import type { ReadContainerStatus, ReadPod, ReadPodStatus } from "./read-objects.js";

/** A kubelet event of a Pod. */
export interface PodEvent {
  readonly type: "Normal" | "Warning";
  readonly reason: string;
  readonly note: string;
}

/** The kubelet's events for a Pod status change. */
export function podEvents(pod: ReadPod, next: ReadPodStatus): PodEvent[] {
  const before = statuses(pod.status);
  const containers = [...(pod.spec?.initContainers ?? []), ...(pod.spec?.containers ?? [])];
  const events: PodEvent[] = [];
  for (const after of statuses(next)) {
    const { name } = after;
    const image = containers.find((one) => one.name === name)?.image ?? "";
    const status = before.find((one) => one.name === name);
    events.push(...containerEvents(after, status, image));
  }
  return events;
}

/** The kubelet's events for a Pod that it terminates. */
export function killingEvents(pod: ReadPod): PodEvent[] {
  return statuses(pod.status).flatMap(({ name, state }) =>
    state?.running === undefined ? [] : [{ type: "Normal", reason: "Killing", note: `Stopping container ${name}` }],
  );
}

function containerEvents(
  after: ReadContainerStatus,
  before: ReadContainerStatus | undefined,
  image: string,
): PodEvent[] {
  const { name, state, restartCount } = after;
  const waiting = state?.waiting?.reason;
  if (waiting !== undefined)
    return waiting === before?.state?.waiting?.reason
      ? []
      : waitingEvents(name, waiting, state?.waiting?.message ?? "", image);
  const ranBefore = before?.state?.running !== undefined || before?.state?.terminated !== undefined;
  const hasStarted = !ranBefore || restartCount > (before?.restartCount ?? 0);
  const events: PodEvent[] = hasStarted
    ? [
        {
          type: "Normal",
          reason: "Pulled",
          note: `Container image "${image}" already present on machine and can be accessed by the pod`,
        },
        { type: "Normal", reason: "Created", note: `Container created` },
        { type: "Normal", reason: "Started", note: `Container started` },
      ]
    : [];
  const wasReady = before?.state?.running !== undefined && before.ready;
  if (wasReady && state?.running !== undefined && !after.ready)
    events.push({ type: "Warning", reason: "Unhealthy", note: "Readiness probe failed: simulated" });
  return events;
}

function waitingEvents(name: string, reason: string, message: string, image: string): PodEvent[] {
  if (reason === "ErrImagePull")
    return [
      { type: "Normal", reason: "Pulling", note: `Pulling image "${image}"` },
      { type: "Warning", reason: "Failed", note: `Failed to pull image "${image}": ${message}` },
      { type: "Warning", reason: "Failed", note: "Error: ErrImagePull" },
    ];
  if (reason === "ImagePullBackOff")
    return [
      { type: "Normal", reason: "BackOff", note: message },
      { type: "Warning", reason: "Failed", note: "Error: ImagePullBackOff" },
    ];
  if (reason === "CrashLoopBackOff")
    return [{ type: "Warning", reason: "BackOff", note: `Back-off restarting failed container ${name}` }];
  return [];
}

function statuses(status: ReadPodStatus | undefined): readonly ReadContainerStatus[] {
  const { initContainerStatuses = [], containerStatuses = [], ephemeralContainerStatuses = [] } = status ?? {};
  return [...initContainerStatuses, ...containerStatuses, ...ephemeralContainerStatuses];
}
