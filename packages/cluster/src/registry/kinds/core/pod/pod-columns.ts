import { isJsonObject, type JsonObject } from "@kubewright/core/json";
import { ageColumn, ageOf, nameColumn } from "../../../columns.js";
import { listAt, metadataOf, numberAt, objectAt, partAt, textAt } from "../../../draft.js";
import type { Column } from "../../../strategy.js";

/** The cells of a pod that follow from its containers' states. */
interface Summary {
  readonly ready: number;
  readonly total: number;
  readonly reason: string;
  readonly restarts: number;
  /** The finish time of the last restart; empty if there was none. */
  readonly lastRestart: string;
}

function objectsAt(parent: JsonObject, key: string): JsonObject[] {
  return listAt(parent, key).filter(isJsonObject);
}

function conditionOf(status: JsonObject, type: string): JsonObject | undefined {
  return objectsAt(status, "conditions").find((one) => textAt(one, "type") === type);
}

/** The later of `than` and the time at which the container last terminated. */
function laterEnd(container: JsonObject, than: string): string {
  const ended = textAt(objectAt(objectAt(container, "lastState"), "terminated"), "finishedAt");
  return ended > than ? ended : than;
}

function endText(terminated: JsonObject): string {
  if (textAt(terminated, "reason") !== "") return textAt(terminated, "reason");
  const signal = numberAt(terminated, "signal");
  return signal === 0 ? `ExitCode:${numberAt(terminated, "exitCode")}` : `Signal:${signal}`;
}

/** Adds the state of the init containers and sidecars. */
function summariseInit(
  pod: JsonObject,
): Omit<Summary, "total"> & { isInitialising: boolean; sidecarRestarts: number; sidecarEnd: string } {
  const spec = objectAt(pod, "spec");
  const sidecars = new Set(
    objectsAt(spec, "initContainers")
      .filter((one) => textAt(one, "restartPolicy") === "Always")
      .map((one) => textAt(one, "name")),
  );
  let [ready, restarts, sidecarRestarts] = [0, 0, 0];
  let [lastRestart, sidecarEnd, reason] = ["", "", ""];
  for (const [index, container] of objectsAt(objectAt(pod, "status"), "initContainerStatuses").entries()) {
    const isSidecar = sidecars.has(textAt(container, "name"));
    restarts += numberAt(container, "restartCount");
    lastRestart = laterEnd(container, lastRestart);
    if (isSidecar) {
      sidecarRestarts += numberAt(container, "restartCount");
      sidecarEnd = laterEnd(container, sidecarEnd);
    }
    const state = objectAt(container, "state");
    const terminated = partAt(state, "terminated");
    if (terminated && numberAt(terminated, "exitCode") === 0) continue;
    if (isSidecar && container["started"] === true) {
      if (container["ready"] === true) ready++;
      continue;
    }
    const waiting = textAt(objectAt(state, "waiting"), "reason");
    if (terminated) reason = `Init:${endText(terminated)}`;
    else if (waiting !== "" && waiting !== "PodInitializing") reason = `Init:${waiting}`;
    else reason = `Init:${index}/${listAt(spec, "initContainers").length}`;
    break;
  }
  return { ready, restarts, lastRestart, reason, isInitialising: reason !== "", sidecarRestarts, sidecarEnd };
}

function summarise(pod: JsonObject): Summary {
  const spec = objectAt(pod, "spec");
  const status = objectAt(pod, "status");
  const phase = textAt(status, "phase");
  const init = summariseInit(pod);
  const sidecars = objectsAt(spec, "initContainers").filter((one) => textAt(one, "restartPolicy") === "Always");
  const total = listAt(spec, "containers").length + sidecars.length;
  let reason = textAt(status, "reason") || phase;
  if (textAt(conditionOf(status, "PodScheduled") ?? {}, "reason") === "SchedulingGated") reason = "SchedulingGated";
  if (init.isInitialising) reason = init.reason;
  let { ready, restarts, lastRestart } = init;
  const isInitialised = textAt(conditionOf(status, "Initialized") ?? {}, "status") === "True";
  if (!init.isInitialising || isInitialised) {
    restarts = init.sidecarRestarts;
    lastRestart = init.sidecarEnd;
    let hasRunning = false;
    let failure = "";
    for (const container of objectsAt(status, "containerStatuses").reverse()) {
      restarts += numberAt(container, "restartCount");
      lastRestart = laterEnd(container, lastRestart);
      const state = objectAt(container, "state");
      const terminated = partAt(state, "terminated");
      const waiting = textAt(objectAt(state, "waiting"), "reason");
      if (waiting !== "") reason = waiting;
      else if (terminated) {
        reason = endText(terminated);
        if (numberAt(terminated, "exitCode") !== 0) failure = reason;
      } else if (container["ready"] === true && partAt(state, "running")) {
        hasRunning = true;
        ready++;
      }
    }
    if (reason === "Completed") {
      const isReady = textAt(conditionOf(status, "Ready") ?? {}, "status") === "True";
      if (hasRunning && isReady) reason = "Running";
      else if (failure !== "") reason = failure;
      else if (hasRunning) reason = "NotReady";
    }
  }
  if (metadataOf(pod)["deletionTimestamp"] !== undefined) {
    if (textAt(status, "reason") === "NodeLost") reason = "Unknown";
    else if (phase !== "Failed" && phase !== "Succeeded") reason = "Terminating";
  }
  return { ready, total, reason, restarts, lastRestart };
}

function gatesOf(pod: JsonObject): string {
  const gates = objectsAt(objectAt(pod, "spec"), "readinessGates");
  if (gates.length === 0) return "<none>";
  const open = gates.filter((gate) => {
    const condition = conditionOf(objectAt(pod, "status"), textAt(gate, "conditionType"));
    return condition !== undefined && textAt(condition, "status") === "True";
  });
  return `${open.length}/${gates.length}`;
}

/** The columns of a Pod. */
export const podColumns: readonly Column[] = [
  nameColumn,
  {
    name: "Ready",
    type: "string",
    cell(pod) {
      const { ready, total } = summarise(pod);
      return `${ready}/${total}`;
    },
  },
  { name: "Status", type: "string", cell: (pod) => summarise(pod).reason },
  {
    name: "Restarts",
    type: "string",
    cell(pod, nowMs) {
      const { restarts, lastRestart } = summarise(pod);
      return restarts === 0 || lastRestart === "" ? String(restarts) : `${restarts} (${ageOf(lastRestart, nowMs)} ago)`;
    },
  },
  ageColumn,
  {
    name: "IP",
    type: "string",
    priority: 1,
    cell: (pod) => textAt(objectsAt(objectAt(pod, "status"), "podIPs")[0] ?? {}, "ip") || "<none>",
  },
  { name: "Node", type: "string", priority: 1, cell: (pod) => textAt(objectAt(pod, "spec"), "nodeName") || "<none>" },
  {
    name: "Nominated Node",
    type: "string",
    priority: 1,
    cell: (pod) => textAt(objectAt(pod, "status"), "nominatedNodeName") || "<none>",
  },
  { name: "Readiness Gates", type: "string", priority: 1, cell: gatesOf },
];
