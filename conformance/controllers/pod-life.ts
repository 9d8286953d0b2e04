import { isJsonObject, type JsonObject, type JsonValue } from "@kubewright/core/json";

/**
 * What a kubelet can make of a pod. `ready`: runs, and is ready. `running`: runs, is not ready. `pulling`: its image does not come.
 * `crashing`: its containers end again and again. `succeeded`, `exit N`, `oom`, `evicted`: it has ended, for good.
 */
export type PodLife = "ready" | "running" | "pulling" | "crashing" | "succeeded" | `exit ${number}` | "oom" | "evicted";

/** Whether a pod that leads this life has ended. */
export function hasEnded(life: PodLife): boolean {
  return life === "succeeded" || life === "oom" || life === "evicted" || life.startsWith("exit ");
}

/** What a kubelet knows beside the pod. */
export interface Surroundings {
  /** RFC 3339. */
  readonly now: string;
  readonly hostIp: string;
  readonly podIp: string;
}

/** The status that a kubelet reports for a pod, as a strategic merge patch of it. */
export function statusFor(pod: JsonObject, life: PodLife, { now, hostIp, podIp }: Surroundings): JsonObject {
  const containers = containersOf(pod);
  const ended = hasEnded(life);
  const isReady = life === "ready";
  const reason = life === "succeeded" ? "PodCompleted" : ended ? "PodFailed" : "ContainersNotReady";
  const names = containers.join(" ");
  const notReady = {
    status: "False",
    reason,
    ...(!ended && { message: `containers with unready status: [${names}]` }),
  };
  const condition = (type: string, state: JsonObject): JsonObject => ({ type, lastTransitionTime: now, ...state });
  const started = life !== "pulling";
  return {
    phase: ended ? (life === "succeeded" ? "Succeeded" : "Failed") : started ? "Running" : "Pending",
    ...(life === "evicted" && { reason: "Evicted", message: "The node was low on resource: memory." }),
    conditions: [
      condition("PodReadyToStartContainers", { status: ended ? "False" : "True" }),
      condition("Initialized", { status: "True", ...(life === "succeeded" && { reason: "PodCompleted" }) }),
      condition("Ready", isReady ? { status: "True", reason: null, message: null } : notReady),
      condition("ContainersReady", isReady ? { status: "True", reason: null, message: null } : notReady),
    ],
    hostIP: hostIp,
    hostIPs: [{ ip: hostIp }],
    ...(started && { podIP: podIp, podIPs: [{ ip: podIp }] }),
    startTime: now,
    containerStatuses: containers.map((name) => containerStatus(name, life, now)),
  };
}

function containerStatus(name: string, life: PodLife, now: string): JsonObject {
  const running = { running: { startedAt: now } };
  const common = { name, image: "app", imageID: life === "pulling" ? "" : "sha256:app", ready: life === "ready" };
  if (life === "pulling") {
    const waiting = { reason: "ImagePullBackOff", message: 'Back-off pulling image "app"' };
    return { ...common, restartCount: 0, started: false, state: { waiting, running: null } };
  }
  if (life === "ready" || life === "running")
    return { ...common, restartCount: 0, started: true, state: { ...running, waiting: null } };
  if (life === "crashing") {
    const terminated = { exitCode: 1, reason: "Error", startedAt: now, finishedAt: now };
    const waiting = { reason: "CrashLoopBackOff", message: "back-off 10s restarting failed container" };
    return { ...common, restartCount: 1, started: false, state: { waiting, running: null }, lastState: { terminated } };
  }
  const terminated = { ...endOf(life), startedAt: now, finishedAt: now };
  return { ...common, restartCount: 0, started: false, state: { terminated, running: null, waiting: null } };
}

function endOf(life: PodLife): JsonObject {
  if (life === "succeeded") return { exitCode: 0, reason: "Completed" };
  if (life === "oom") return { exitCode: 137, reason: "OOMKilled" };
  if (life === "evicted") return { exitCode: 137, reason: "Error" };
  return { exitCode: Number(life.slice("exit ".length)), reason: "Error" };
}

function containersOf(pod: JsonObject): string[] {
  const spec = pod["spec"];
  const containers: JsonValue = isJsonObject(spec) ? (spec["containers"] ?? []) : [];
  return Array.isArray(containers)
    ? containers.map((one: JsonValue) => (isJsonObject(one) ? String(one["name"]) : ""))
    : [];
}
