import type { DaemonSetStatus } from "kubewright/k8s/apps/v1";
import { isPodReady } from "../pod/index.js";
import { isUpdated } from "./daemon-pod.js";
import { type DaemonView, isAvailable } from "./daemon-pods.js";

/** Sets the status counters of a DaemonSet. */
export function updateStatus(status: DaemonSetStatus, view: DaemonView): void {
  const nodes = view.nodeStates.filter(({ name }) => view.nodes.has(name));
  const desired = nodes.filter(({ shouldRun }) => shouldRun);
  // The oldest scheduled Pod represents the node.
  const pods = desired.flatMap((nodeState) => nodeState.pods.slice(0, 1));
  const ready = pods.filter(isPodReady);
  const available = ready.filter((pod) => isAvailable(pod, view)).length;
  status.observedGeneration = view.set.metadata.generation;
  status.desiredNumberScheduled = desired.length;
  status.currentNumberScheduled = pods.length;
  status.numberMisscheduled = nodes.filter((nodeState) => !nodeState.shouldRun && nodeState.pods.length > 0).length;
  status.numberReady = ready.length;
  status.updatedNumberScheduled = omitZero(pods.filter((pod) => isUpdated(pod, view.set, view.hash)).length);
  status.numberAvailable = omitZero(available);
  status.numberUnavailable = omitZero(desired.length - available);
}

function omitZero(count: number): number | undefined {
  return count === 0 ? undefined : count;
}
