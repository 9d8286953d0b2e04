import { isPodAvailable, isPodReady, type PodView } from "../pod/index.js";
import { desiredReplicas } from "./ordinals.js";
import type { SetRun } from "./set-actions.js";
import type { SetRevisions } from "./set-revisions.js";
import { revisionLabel } from "./stateful-pod.js";

/** Sets the status of a StatefulSet. */
export function updateStatus({ set, status, nowMs }: SetRun, revisions: SetRevisions, pods: readonly PodView[]): void {
  const { current, update } = revisions;
  const desired = desiredReplicas(set);
  const { minReadySeconds = 0 } = set.spec;
  const notTerminating = pods.filter(({ metadata }) => metadata.deletionTimestamp === undefined);
  const ready = pods.filter((pod) => pod.status?.phase === "Running" && isPodReady(pod));
  const of = (name: string) =>
    notTerminating.filter(({ metadata }) => metadata.labels?.[revisionLabel] === name).length;
  const updated = of(update.metadata.name);
  const isComplete =
    set.spec.updateStrategy?.type !== "OnDelete" &&
    [updated, ready.length, pods.length].every((count) => count === desired);
  status.observedGeneration = set.metadata.generation;
  status.replicas = pods.length;
  status.readyReplicas = omitZero(ready.length);
  status.availableReplicas = ready.filter((pod) => isPodAvailable(pod, minReadySeconds, nowMs)).length;
  status.currentReplicas = omitZero(isComplete ? updated : of(current.metadata.name));
  status.updatedReplicas = omitZero(updated);
  status.currentRevision = isComplete ? update.metadata.name : current.metadata.name;
  status.updateRevision = update.metadata.name;
  status.collisionCount ??= 0;
}

function omitZero(count: number): number | undefined {
  return count === 0 ? undefined : count;
}
