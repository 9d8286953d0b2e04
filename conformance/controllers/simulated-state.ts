import { isJsonObject, type JsonObject, type JsonValue } from "@kubewright/core/json";

/**
 * A pod state that the fake kubelet reports. `ready`: running and ready. `running`: running, not ready. `pulling`: ImagePullBackOff.
 * `crashing`: CrashLoopBackOff. `succeeded`, `exit N`, `oom`, `evicted`: terminated.
 */
export type SimulatedState =
  | "ready"
  | "running"
  | "pulling"
  | "crashing"
  | "succeeded"
  | `exit ${number}`
  | "oom"
  | "evicted";

/** Whether a pod in this state is terminated. */
export function isTerminated(state: SimulatedState): boolean {
  return state === "succeeded" || state === "oom" || state === "evicted" || state.startsWith("exit ");
}

/** What a kubelet knows in addition to the pod. */
export interface KubeletFacts {
  /** RFC 3339. */
  readonly now: string;
  readonly hostIp: string;
  readonly podIp: string;
}

/** The status that a kubelet reports for a pod, as a strategic merge patch of it. */
export function statusFor(pod: JsonObject, state: SimulatedState, { now, hostIp, podIp }: KubeletFacts): JsonObject {
  const containers = containersOf(pod);
  const ended = isTerminated(state);
  const isReady = state === "ready";
  const reason = state === "succeeded" ? "PodCompleted" : ended ? "PodFailed" : "ContainersNotReady";
  const names = containers.join(" ");
  const notReady = {
    status: "False",
    reason,
    ...(!ended && { message: `containers with unready status: [${names}]` }),
  };
  const condition = (type: string, state: JsonObject): JsonObject => ({ type, lastTransitionTime: now, ...state });
  const started = state !== "pulling";
  return {
    phase: ended ? (state === "succeeded" ? "Succeeded" : "Failed") : started ? "Running" : "Pending",
    ...(state === "evicted" && { reason: "Evicted", message: "The node was low on resource: memory." }),
    conditions: [
      condition("PodReadyToStartContainers", { status: ended ? "False" : "True" }),
      condition("Initialized", { status: "True", ...(state === "succeeded" && { reason: "PodCompleted" }) }),
      condition("Ready", isReady ? { status: "True", reason: null, message: null } : notReady),
      condition("ContainersReady", isReady ? { status: "True", reason: null, message: null } : notReady),
    ],
    hostIP: hostIp,
    hostIPs: [{ ip: hostIp }],
    ...(started && { podIP: podIp, podIPs: [{ ip: podIp }] }),
    startTime: now,
    containerStatuses: containers.map((name) => containerStatus(name, state, now)),
  };
}

function containerStatus(name: string, state: SimulatedState, now: string): JsonObject {
  const running = { running: { startedAt: now } };
  const common = { name, image: "app", imageID: state === "pulling" ? "" : "sha256:app", ready: state === "ready" };
  if (state === "pulling") {
    const waiting = { reason: "ImagePullBackOff", message: 'Back-off pulling image "app"' };
    return { ...common, restartCount: 0, started: false, state: { waiting, running: null } };
  }
  if (state === "ready" || state === "running")
    return { ...common, restartCount: 0, started: true, state: { ...running, waiting: null } };
  if (state === "crashing") {
    const terminated = { exitCode: 1, reason: "Error", startedAt: now, finishedAt: now };
    const waiting = { reason: "CrashLoopBackOff", message: "back-off 10s restarting failed container" };
    return { ...common, restartCount: 1, started: false, state: { waiting, running: null }, lastState: { terminated } };
  }
  const terminated = { ...endOf(state), startedAt: now, finishedAt: now };
  return { ...common, restartCount: 0, started: false, state: { terminated, running: null, waiting: null } };
}

function endOf(state: SimulatedState): JsonObject {
  if (state === "succeeded") return { exitCode: 0, reason: "Completed" };
  if (state === "oom") return { exitCode: 137, reason: "OOMKilled" };
  if (state === "evicted") return { exitCode: 137, reason: "Error" };
  return { exitCode: Number(state.slice("exit ".length)), reason: "Error" };
}

function containersOf(pod: JsonObject): string[] {
  const spec = pod["spec"];
  const containers: JsonValue = isJsonObject(spec) ? (spec["containers"] ?? []) : [];
  return Array.isArray(containers)
    ? containers.map((one: JsonValue) => (isJsonObject(one) ? String(one["name"]) : ""))
    : [];
}
