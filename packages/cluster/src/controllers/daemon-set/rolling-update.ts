import { type DaemonView, isAvailable, type Plan, podPairOn } from "./daemon-pods.js";
import { limitsOf } from "./limits.js";

/** One step of a rolling update: the old Pods to delete, and with maxSurge the nodes that get a new Pod, within the limits. */
export function rollingUpdate(view: DaemonView): Plan {
  const desired = view.nodeStates.filter(({ shouldRun }) => shouldRun).length;
  const limits = limitsOf(view.set, desired);
  return limits.surge === 0 ? replace(view, limits.unavailable) : surge(view, limits.surge, desired);
}

/** Deletes unavailable old Pods, and available ones while at most maxUnavailable are unavailable. */
function replace(view: DaemonView, maxUnavailable: number): Plan {
  let unavailable = 0;
  const unavailablePods: string[] = [];
  const availablePods: string[] = [];
  for (const nodeState of view.nodeStates) {
    if (!nodeState.shouldRun && nodeState.pods.length === 0) continue;
    const { newPod, old } = podPairOn(nodeState, view) ?? {};
    if (old !== undefined && newPod === undefined && isAvailable(old, view)) availablePods.push(old.metadata.name);
    else if (old !== undefined && newPod === undefined) {
      unavailablePods.push(old.metadata.name);
      unavailable += 1;
    } else if (newPod === undefined || old !== undefined || !isAvailable(newPod, view)) unavailable += 1;
  }
  const allowed = Math.max(0, maxUnavailable - unavailable);
  return { create: [], delete: [...unavailablePods, ...availablePods.slice(0, allowed)] };
}

/** Creates up to maxSurge new Pods beside old ones, and deletes an old Pod once its new Pod is available. */
function surge(view: DaemonView, maxSurge: number, desired: number): Plan {
  let surging = 0;
  let available = 0;
  const plan: Plan = { create: [], delete: [] };
  const candidates: string[] = [];
  const misscheduled: string[] = [];
  for (const nodeState of view.nodeStates) {
    const pair = podPairOn(nodeState, view);
    if (pair === undefined) {
      surging += 1;
      continue;
    }
    const { newPod, old } = pair;
    const isOldAvailable = isAvailable(old ?? newPod, view);
    if (isOldAvailable) available += 1;
    if (old === undefined) continue;
    if (newPod !== undefined) {
      if (isAvailable(newPod, view)) plan.delete.push(old.metadata.name);
      else surging += 1;
    } else if (nodeState.shouldRun) (isOldAvailable ? candidates : plan.create).push(nodeState.name);
    else (isOldAvailable ? misscheduled : plan.delete).push(old.metadata.name);
  }
  // If the set moves to other nodes, an old Pod is deleted only when enough others are available.
  plan.delete.push(...misscheduled.slice(0, Math.max(0, available - desired)));
  plan.create.push(...candidates.slice(0, Math.max(0, maxSurge - surging)));
  return plan;
}
