import { isPodReady, type PodView } from "../pod/index.js";
import { revisionLabel } from "./daemon-pod.js";
import { type DaemonView, isAvailable, type NodeState, type Plan } from "./daemon-pods.js";
import { allowsSurge } from "./limits.js";

/** Callbacks of `manage`. */
export interface ManageOptions {
  /** The remaining backoff of a failed Pod on a node; 0 if it is to be deleted now. */
  readonly failureBackoffMs: (node: string) => number;
  readonly requeueAfter: (ms: number) => void;
  readonly event: (type: "Normal" | "Warning", reason: string, note: string) => void;
}

/** Finds nodes that lack a Pod, and Pods that are on ineligible nodes, terminal or surplus. */
export function manage(view: DaemonView, options: ManageOptions): Plan {
  const plan: Plan = { create: [], delete: [] };
  for (const nodeState of view.nodeStates) {
    if (!view.nodes.has(nodeState.name)) plan.delete.push(...podsOfDeletedNode(nodeState));
    else if (nodeState.shouldRun && nodeState.pods.length === 0) plan.create.push(nodeState.name);
    else if (nodeState.shouldContinueRunning) manageNode(nodeState, view, plan, options);
    else plan.delete.push(...notTerminating(nodeState).map(({ metadata }) => metadata.name));
  }
  return plan;
}

/** Unscheduled Pods that target a deleted node. No other controller deletes them. */
function podsOfDeletedNode({ pods }: NodeState): readonly string[] {
  return pods.filter(({ spec }) => (spec?.nodeName ?? "") === "").map(({ metadata }) => metadata.name);
}

function notTerminating({ pods }: NodeState): readonly PodView[] {
  return pods.filter(({ metadata }) => metadata.deletionTimestamp === undefined);
}

function manageNode(nodeState: NodeState, view: DaemonView, plan: Plan, options: ManageOptions): void {
  const running: PodView[] = [];
  for (const pod of notTerminating(nodeState)) {
    const { name, namespace } = pod.metadata;
    const where = `daemon pod ${namespace}/${name} on node ${nodeState.name}`;
    if (pod.status?.phase === "Succeeded") {
      options.event("Normal", "SucceededDaemonPod", `Found succeeded ${where}, will try to delete it`);
      plan.delete.push(name);
    } else if (pod.status?.phase === "Failed") {
      const waitMs = options.failureBackoffMs(nodeState.name);
      if (waitMs > 0) {
        options.requeueAfter(waitMs);
        continue;
      }
      options.event("Warning", "FailedDaemonPod", `Found failed ${where}, will try to kill it`);
      plan.delete.push(name);
    } else running.push(pod);
  }
  if (!allowsSurge(view.set)) plan.delete.push(...running.slice(1).map(({ metadata }) => metadata.name));
  else if (running.length === 0 && nodeState.shouldRun) plan.create.push(nodeState.name);
  else if (running.length > 1) plan.delete.push(...surplusPods(running, view).map(({ metadata }) => metadata.name));
}

/** During a surge the old Pod stays while it is ready and the new one is not yet available. All other Pods are surplus. */
function surplusPods(running: readonly PodView[], view: DaemonView): readonly PodView[] {
  const isNew = ({ metadata }: PodView) => metadata.labels?.[revisionLabel] === view.hash;
  const newPod = running.find(isNew);
  const old = running.find((pod) => !isNew(pod));
  const others = running.filter((pod) => pod !== newPod && pod !== old);
  const isReplaced = newPod !== undefined && old !== undefined && (!isPodReady(old) || isAvailable(newPod, view));
  return isReplaced && old !== undefined ? [...others, old] : others;
}
