import { createHash } from "node:crypto";
import { formatTime } from "@kubewright/core/meta";
import type { ContainerState, ContainerStatus, PodStatus } from "kubewright/k8s/core/v1";
import { podConditions } from "./pod-conditions.js";
import type { ContainerSnapshot, PodSnapshot, Terminated } from "./pod-timeline.js";
import type { ReadContainer, ReadPod, ReadPodSpec } from "./read-objects.js";

/** The IPs of a Pod and its host. */
export interface PodIPs {
  readonly hostIP: string;
  readonly podIP: string;
}

/** The kubelet's status of a Pod for a snapshot of its containers. It contains no conditions of others. */
export function podStatus(pod: ReadPod, snapshot: PodSnapshot, ips: PodIPs, nowMs: number): PodStatus {
  const { spec } = pod;
  const statuses = (containers: readonly ReadContainer[], snapshots: readonly ContainerSnapshot[]): ContainerStatus[] =>
    snapshots.flatMap((one, at) => {
      const container = containers[at];
      return container === undefined ? [] : [containerStatus(pod, container, one)];
    });
  const initContainerStatuses = statuses(spec.initContainers ?? [], snapshot.inits);
  const containerStatuses = statuses(spec.containers, snapshot.containers);
  const phase = phaseOf(spec, snapshot);
  const ephemeralContainerStatuses = (spec.ephemeralContainers ?? []).map((container) =>
    ephemeralStatus(pod, container, phase, nowMs),
  );
  const hasStarted = phase !== "Pending" || snapshot.inits.some(({ state }) => state.kind !== "waiting");
  const { hostIP, podIP } = ips;
  return {
    phase,
    observedGeneration: pod.metadata.generation,
    conditions: podConditions(pod, snapshot, phase, nowMs),
    startTime: pod.status?.startTime ?? formatTime(nowMs),
    hostIP,
    hostIPs: [{ ip: hostIP }],
    ...(hasStarted ? { podIP, podIPs: [{ ip: podIP }] } : {}),
    ...(initContainerStatuses.length > 0 ? { initContainerStatuses } : {}),
    containerStatuses,
    ...(ephemeralContainerStatuses.length > 0 ? { ephemeralContainerStatuses } : {}),
  };
}

/** An ephemeral container runs while its Pod does. It is never ready, and never restarts. */
function ephemeralStatus(
  pod: ReadPod,
  container: ReadContainer,
  phase: PodStatus["phase"],
  nowMs: number,
): ContainerStatus {
  const before = pod.status?.ephemeralContainerStatuses?.find(({ name }) => name === container.name);
  const startedAt = before?.state?.running?.startedAt;
  const sinceMs = startedAt === undefined ? nowMs : Date.parse(startedAt);
  const state: ContainerSnapshot["state"] =
    phase === "Pending"
      ? { kind: "waiting", reason: "ContainerCreating" }
      : phase === "Running"
        ? { kind: "running", sinceMs, ready: false }
        : { kind: "terminated", startedMs: sinceMs, finishedMs: nowMs, exitCode: 137, reason: "Error" };
  return containerStatus(pod, container, { name: container.name, state, restarts: 0 });
}

/** The phase of a Pod for a snapshot of its containers. */
function phaseOf({ restartPolicy = "Always" }: ReadPodSpec, { inits, containers }: PodSnapshot): PodStatus["phase"] {
  const failedInit = inits.some(({ state }) => state.kind === "terminated" && state.exitCode !== 0);
  if (failedInit && restartPolicy === "Never") return "Failed";
  if (inits.some(({ state }) => state.kind === "waiting") || failedInit) return "Pending";
  const running = containers.filter(({ state }) => state.kind === "running").length;
  const terminated = containers.flatMap(({ state, last }) =>
    state.kind === "terminated" ? [state] : state.kind === "waiting" && last ? [last] : [],
  );
  if (running + terminated.length < containers.length) return "Pending";
  if (running > 0 || restartPolicy === "Always") return "Running";
  if (terminated.every(({ exitCode }) => exitCode === 0)) return "Succeeded";
  return restartPolicy === "Never" ? "Failed" : "Running";
}

function containerStatus(
  pod: ReadPod,
  { name, image = "" }: ReadContainer,
  snapshot: ContainerSnapshot,
): ContainerStatus {
  const { state, last, restarts } = snapshot;
  const id = (round: number): string => `containerd://${containerId(pod.metadata.uid, name, round)}`;
  const isWaiting = state.kind === "waiting";
  const isReady = state.kind === "running" ? state.ready : false;
  const isDone = state.kind === "terminated" && state.exitCode === 0;
  const isInit = pod.spec?.initContainers?.some((init) => init.name === name) === true;
  return {
    name,
    image,
    imageID: isWaiting && last === undefined ? "" : `${withoutTag(image)}@sha256:${digest(image)}`,
    ready: isReady || (isInit && isDone),
    restartCount: restarts,
    started: state.kind === "running",
    state: stateOf(state, () => id(restarts)),
    lastState: last === undefined ? {} : terminated(last, id(Math.max(0, restarts - (isWaiting ? 0 : 1)))),
    ...(isWaiting && last === undefined ? {} : { containerID: id(restarts) }),
  };
}

function stateOf(state: ContainerSnapshot["state"], id: () => string): ContainerState {
  if (state.kind === "running") return { running: { startedAt: formatTime(state.sinceMs) } };
  if (state.kind === "terminated") return terminated(state, id());
  const { reason, message } = state;
  return { waiting: { reason, ...(message === undefined ? {} : { message }) } };
}

function terminated({ startedMs, finishedMs, exitCode, reason }: Terminated, containerID: string): ContainerState {
  const [startedAt, finishedAt] = [formatTime(startedMs), formatTime(finishedMs)];
  return { terminated: { exitCode, reason, startedAt, finishedAt, containerID } };
}

function withoutTag(image: string): string {
  return image.replace(/(@sha256:[0-9a-f]+|:[^:/]+)$/, "");
}

/** A unique container ID of 64 hexadecimal digits, from the Pod uid, the container name and the restart count. */
function containerId(uid: string, name: string, round: number): string {
  const ofPod = uid.replaceAll("-", "");
  return `${ofPod}${digest(name).slice(0, 56 - ofPod.length)}${round.toString(16).padStart(8, "0")}`;
}

function digest(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
