import type { ContainerStateTerminated, ContainerStatus, Pod, PodCondition, PodStatus } from "kubewright/k8s/core/v1";
import { ageColumn, ageOf, nameColumn } from "../../../columns.js";
import type { Decoded } from "../../../decoded.js";
import type { Column } from "../../../strategy.js";

/** The cells of a Pod that depend on its container statuses. */
interface Summary {
  readonly ready: number;
  readonly total: number;
  readonly reason: string;
  readonly restarts: number;
  /** When the last restarted container terminated; empty if there was no restart. */
  readonly lastRestart: string;
}

function conditionOf(status: Decoded<PodStatus>, type: string): Decoded<PodCondition> | undefined {
  return status.conditions?.find((one) => one.type === type);
}

/** The later of `than` and the time at which the container last terminated. */
function laterTermination(container: Decoded<ContainerStatus>, than: string): string {
  const finishedAt = container.lastState?.terminated?.finishedAt ?? "";
  return finishedAt > than ? finishedAt : than;
}

function terminationReason({ reason, signal, exitCode = 0 }: Decoded<ContainerStateTerminated>): string {
  return reason || (signal ? `Signal:${signal}` : `ExitCode:${exitCode}`);
}

/** The names of the sidecars. */
function sidecarsOf({ spec }: Decoded<Pod>): ReadonlySet<string> {
  const sidecars = spec?.initContainers?.filter((one) => one.restartPolicy === "Always");
  return new Set(sidecars?.map(({ name = "" }) => name));
}

/** Summarizes the init containers and sidecars. */
function summarizeInit(
  pod: Decoded<Pod>,
): Omit<Summary, "total"> & { isInitializing: boolean; sidecarRestarts: number; lastSidecarRestart: string } {
  const sidecars = sidecarsOf(pod);
  let [ready, restarts, sidecarRestarts] = [0, 0, 0];
  let [lastRestart, lastSidecarRestart, reason] = ["", "", ""];
  for (const [index, container] of (pod.status?.initContainerStatuses ?? []).entries()) {
    const { name = "", restartCount = 0, state } = container;
    const isSidecar = sidecars.has(name);
    restarts += restartCount;
    lastRestart = laterTermination(container, lastRestart);
    if (isSidecar) {
      sidecarRestarts += restartCount;
      lastSidecarRestart = laterTermination(container, lastSidecarRestart);
    }
    const terminated = state?.terminated;
    if (terminated && !terminated.exitCode) continue;
    if (isSidecar && container.started) {
      if (container.ready) ready++;
      continue;
    }
    const waiting = state?.waiting?.reason;
    if (terminated) reason = `Init:${terminationReason(terminated)}`;
    else if (waiting && waiting !== "PodInitializing") reason = `Init:${waiting}`;
    else reason = `Init:${index}/${pod.spec?.initContainers?.length ?? 0}`;
    break;
  }
  return { ready, restarts, lastRestart, reason, isInitializing: reason !== "", sidecarRestarts, lastSidecarRestart };
}

function summarize(pod: Decoded<Pod>): Summary {
  const { metadata, spec, status = {} } = pod;
  const { phase = "" } = status;
  const init = summarizeInit(pod);
  const total = (spec?.containers?.length ?? 0) + sidecarsOf(pod).size;
  let reason: string = status.reason || phase;
  if (conditionOf(status, "PodScheduled")?.reason === "SchedulingGated") reason = "SchedulingGated";
  if (init.isInitializing) reason = init.reason;
  let { ready, restarts, lastRestart } = init;
  const isInitialized = conditionOf(status, "Initialized")?.status === "True";
  if (!init.isInitializing || isInitialized) {
    restarts = init.sidecarRestarts;
    lastRestart = init.lastSidecarRestart;
    let hasRunning = false;
    let failure = "";
    for (const container of [...(status.containerStatuses ?? [])].reverse()) {
      restarts += container.restartCount ?? 0;
      lastRestart = laterTermination(container, lastRestart);
      const { waiting, terminated, running } = container.state ?? {};
      if (waiting?.reason) reason = waiting.reason;
      else if (terminated) {
        reason = terminationReason(terminated);
        if (terminated.exitCode) failure = reason;
      } else if (container.ready && running) {
        hasRunning = true;
        ready++;
      }
    }
    if (reason === "Completed") {
      const isReady = conditionOf(status, "Ready")?.status === "True";
      if (hasRunning && isReady) reason = "Running";
      else if (failure !== "") reason = failure;
      else if (hasRunning) reason = "NotReady";
    }
  }
  if (metadata?.deletionTimestamp) {
    if (status.reason === "NodeLost") reason = "Unknown";
    else if (phase !== "Failed" && phase !== "Succeeded") reason = "Terminating";
  }
  return { ready, total, reason, restarts, lastRestart };
}

function gatesOf({ spec, status = {} }: Decoded<Pod>): string {
  const gates = spec?.readinessGates ?? [];
  if (gates.length === 0) return "<none>";
  const open = gates.filter(({ conditionType = "" }) => conditionOf(status, conditionType)?.status === "True");
  return `${open.length}/${gates.length}`;
}

/** The printer columns of a Pod. */
export const podColumns: readonly Column<Pod>[] = [
  nameColumn,
  {
    name: "Ready",
    type: "string",
    cell(pod) {
      const { ready, total } = summarize(pod);
      return `${ready}/${total}`;
    },
  },
  { name: "Status", type: "string", cell: (pod) => summarize(pod).reason },
  {
    name: "Restarts",
    type: "string",
    cell(pod, nowMs) {
      const { restarts, lastRestart } = summarize(pod);
      return restarts === 0 || lastRestart === "" ? String(restarts) : `${restarts} (${ageOf(lastRestart, nowMs)} ago)`;
    },
  },
  ageColumn,
  {
    name: "IP",
    type: "string",
    priority: 1,
    cell: (pod) => pod.status?.podIPs?.[0]?.ip || "<none>",
  },
  { name: "Node", type: "string", priority: 1, cell: (pod) => pod.spec?.nodeName || "<none>" },
  {
    name: "Nominated Node",
    type: "string",
    priority: 1,
    cell: (pod) => pod.status?.nominatedNodeName || "<none>",
  },
  { name: "Readiness Gates", type: "string", priority: 1, cell: gatesOf },
];
