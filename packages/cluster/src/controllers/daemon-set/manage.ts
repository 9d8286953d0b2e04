import { isPodReady, type PodView } from "../pod/index.js";
import { revisionLabel } from "./daemon-pod.js";
import { type DaemonView, isAvailable, type Place, type Plan } from "./daemon-pods.js";
import { allowsSurge } from "./limits.js";

/** What else a look at the places can lead to. */
export interface ManageOptions {
  /** How much longer a failed pod on a node is left alone; 0 when it is to go now. */
  readonly failureWaitMs: (node: string) => number;
  readonly comeBackIn: (ms: number) => void;
  readonly event: (type: "Normal" | "Warning", reason: string, note: string) => void;
}

/** Which nodes lack their pod, and which pods are where none is to be, or have ended, or are one too many. */
export function manage(view: DaemonView, options: ManageOptions): Plan {
  const plan: Plan = { create: [], delete: [] };
  for (const place of view.places) {
    if (!view.nodes.has(place.name)) plan.delete.push(...withoutNode(place));
    else if (place.shouldRun && place.pods.length === 0) plan.create.push(place.name);
    else if (place.mayStay) keepOne(place, view, plan, options);
    else plan.delete.push(...staying(place).map(({ metadata }) => metadata.name));
  }
  return plan;
}

/** Pods for nodes that are not there any more, and that nobody else deletes because they never got there. */
function withoutNode({ pods }: Place): readonly string[] {
  return pods.filter(({ spec }) => (spec?.nodeName ?? "") === "").map(({ metadata }) => metadata.name);
}

function staying({ pods }: Place): readonly PodView[] {
  return pods.filter(({ metadata }) => metadata.deletionTimestamp === undefined);
}

function keepOne(place: Place, view: DaemonView, plan: Plan, options: ManageOptions): void {
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
  else if (running.length > 1) plan.delete.push(...beyondPair(running, view).map(({ metadata }) => metadata.name));
}

/** Two may be there while the new one is not available yet and the old one works: all others go. */
function beyondPair(running: readonly PodView[], view: DaemonView): readonly PodView[] {
  const isFresh = ({ metadata }: PodView) => metadata.labels?.[revisionLabel] === view.hash;
  const fresh = running.find(isFresh);
  const old = running.find((pod) => !isFresh(pod));
  const others = running.filter((pod) => pod !== fresh && pod !== old);
  const isReplaced = fresh !== undefined && old !== undefined && (!isPodReady(old) || isAvailable(fresh, view));
  return isReplaced && old !== undefined ? [...others, old] : others;
}
