import { isPodAvailable, isPodReady, type PodView } from "../pod/index.js";
import { wantedReplicas } from "./ordinals.js";
import type { SetRun } from "./set-actions.js";
import type { SetRevisions } from "./set-revisions.js";
import { revisionLabel } from "./stateful-pod.js";

/** Says in the status how many pods there are, of which revisions, and whether an update is complete. */
export function updateStatus({ set, status, nowMs }: SetRun, revisions: SetRevisions, pods: readonly PodView[]): void {
  const { current, update } = revisions;
  const wanted = wantedReplicas(set);
  const { minReadySeconds = 0 } = set.spec;
  const staying = pods.filter(({ metadata }) => metadata.deletionTimestamp === undefined);
  const ready = pods.filter((pod) => pod.status?.phase === "Running" && isPodReady(pod));
  const of = (name: string) => staying.filter(({ metadata }) => metadata.labels?.[revisionLabel] === name).length;
  const updated = of(update.metadata.name);
  const isComplete =
    set.spec.updateStrategy?.type !== "OnDelete" &&
    [updated, ready.length, pods.length].every((count) => count === wanted);
  status.observedGeneration = set.metadata.generation;
  status.replicas = pods.length;
  status.readyReplicas = orNone(ready.length);
  status.availableReplicas = ready.filter((pod) => isPodAvailable(pod, minReadySeconds, nowMs)).length;
  status.currentReplicas = orNone(isComplete ? updated : of(current.metadata.name));
  status.updatedReplicas = orNone(updated);
  status.currentRevision = isComplete ? update.metadata.name : current.metadata.name;
  status.updateRevision = update.metadata.name;
  status.collisionCount ??= 0;
}

function orNone(count: number): number | undefined {
  return count === 0 ? undefined : count;
}
