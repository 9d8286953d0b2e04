import type { DaemonSetStatus } from "kubewright/k8s/apps/v1";
import { isPodReady } from "../pod/index.js";
import { isUpdated } from "./daemon-pod.js";
import { type DaemonView, isAvailable } from "./daemon-pods.js";

/** Says in the status on how many nodes there is a pod, where one is to be, and how many of them work. */
export function updateStatus(status: DaemonSetStatus, view: DaemonView): void {
  const nodes = view.places.filter(({ name }) => view.nodes.has(name));
  const wanted = nodes.filter(({ shouldRun }) => shouldRun);
  // The pod with a node that is there for the longest time stands for the node.
  const pods = wanted.flatMap((place) => place.pods.slice(0, 1));
  const ready = pods.filter(isPodReady);
  const available = ready.filter((pod) => isAvailable(pod, view)).length;
  status.observedGeneration = view.set.metadata.generation;
  status.desiredNumberScheduled = wanted.length;
  status.currentNumberScheduled = pods.length;
  status.numberMisscheduled = nodes.filter((place) => !place.shouldRun && place.pods.length > 0).length;
  status.numberReady = ready.length;
  status.updatedNumberScheduled = orNone(pods.filter((pod) => isUpdated(pod, view.set, view.hash)).length);
  status.numberAvailable = orNone(available);
  status.numberUnavailable = orNone(wanted.length - available);
}

function orNone(count: number): number | undefined {
  return count === 0 ? undefined : count;
}
