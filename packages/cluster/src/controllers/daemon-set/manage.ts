import { isPodReady, type PodView } from "../pod/index.js";
import { revisionLabel } from "./daemon-pod.js";
import { type DaemonView, isAvailable, type Place, type Plan } from "./daemon-pods.js";
import { allowsSurge } from "./limits.js";

/** Callbacks of `manage`. */
export interface ManageOptions {
  /** The remaining backoff of a failed Pod on a node; 0 if it is to be deleted now. */
  readonly failureWaitMs: (node: string) => number;
  readonly comeBackIn: (ms: number) => void;
  readonly event: (type: "Normal" | "Warning", reason: string, note: string) => void;
}

/** Finds nodes that lack a Pod, and Pods that are on ineligible nodes, terminal or surplus. */
export function manage(view: DaemonView, options: ManageOptions): Plan {
  const plan: Plan = { create: [], delete: [] };
  for (const place of view.places) {
    if (!view.nodes.has(place.name)) plan.delete.push(...podsOfDeletedNode(place));
    else if (place.shouldRun && place.pods.length === 0) plan.create.push(place.name);
    else if (place.mayStay) manageNode(place, view, plan, options);
    else plan.delete.push(...staying(place).map(({ metadata }) => metadata.name));
  }
  return plan;
}

/** Unscheduled Pods that target a deleted node. No other controller deletes them. */
function podsOfDeletedNode({ pods }: Place): readonly string[] {
  return pods.filter(({ spec }) => (spec?.nodeName ?? "") === "").map(({ metadata }) => metadata.name);
}

function staying({ pods }: Place): readonly PodView[] {
  return pods.filter(({ metadata }) => metadata.deletionTimestamp === undefined);
}

function manageNode(place: Place, view: DaemonView, plan: Plan, options: ManageOptions): void {
  const running: PodView[] = [];
  for (const pod of staying(place)) {
    const { name, namespace } = pod.metadata;
    const where = `daemon pod ${namespace}/${name} on node ${place.name}`;
    if (pod.status?.phase === "Succeeded") {
      options.event("Normal", "SucceededDaemonPod", `Found succeeded ${where}, will try to delete it`);
      plan.delete.push(name);
    } else if (pod.status?.phase === "Failed") {
      const waitMs = options.failureWaitMs(place.name);
      if (waitMs > 0) {
        options.comeBackIn(waitMs);
        continue;
      }
      options.event("Warning", "FailedDaemonPod", `Found failed ${where}, will try to kill it`);
      plan.delete.push(name);
    } else running.push(pod);
  }
  if (!allowsSurge(view.set)) plan.delete.push(...running.slice(1).map(({ metadata }) => metadata.name));
  else if (running.length === 0 && place.shouldRun) plan.create.push(place.name);
  else if (running.length > 1) plan.delete.push(...surplusPods(running, view).map(({ metadata }) => metadata.name));
}

/** During a surge the old Pod stays while it is ready and the new one is not yet available. All other Pods are surplus. */
function surplusPods(running: readonly PodView[], view: DaemonView): readonly PodView[] {
  const isFresh = ({ metadata }: PodView) => metadata.labels?.[revisionLabel] === view.hash;
  const fresh = running.find(isFresh);
  const old = running.find((pod) => !isFresh(pod));
  const others = running.filter((pod) => pod !== fresh && pod !== old);
  const isReplaced = fresh !== undefined && old !== undefined && (!isPodReady(old) || isAvailable(fresh, view));
  return isReplaced && old !== undefined ? [...others, old] : others;
}
