import { formatTime } from "@kubewright/core/meta";
import type { ReplicaSetStatus } from "kubewright/k8s/apps/v1";
import { isPodAvailable, isPodReady, type PodView } from "../pod/index.js";
import type { ReplicaFailure, ReplicaOwner } from "./replica-owner.js";

/** The status of a ReplicaSet, and of a ReplicationController, which does not count terminating pods. */
export type ReplicaCounts = ReplicaSetStatus;

/** What a run saw and did. */
interface Seen {
  readonly owner: ReplicaOwner;
  readonly active: readonly PodView[];
  readonly terminating: number;
  readonly failure: ReplicaFailure | undefined;
  readonly nowMs: number;
}

const failureType = "ReplicaFailure";

/** Says in the status what a run saw. Numbers of zero are left out where the server leaves them out. */
export function updateStatus(status: ReplicaCounts, { owner, active, terminating, failure, nowMs }: Seen): void {
  const wanted = Object.entries(owner.template.metadata?.labels ?? {});
  const isFullyLabeled = ({ metadata }: PodView): boolean =>
    wanted.every(([name, value]) => metadata.labels?.[name] === value);
  const isAvailable = (pod: PodView): boolean => isPodAvailable(pod, owner.minReadySeconds, nowMs);
  status.replicas = active.length;
  status.fullyLabeledReplicas = orNone(active.filter(isFullyLabeled).length);
  status.readyReplicas = orNone(active.filter(isPodReady).length);
  status.availableReplicas = orNone(active.filter(isAvailable).length);
  status.terminatingReplicas = terminating;
  status.observedGeneration = orNone(owner.metadata.generation ?? 0);
  const known = status.conditions?.some(({ type }) => type === failureType) ?? false;
  if (failure !== undefined && !known) {
    const { reason, message } = failure;
    const condition = { type: failureType, status: "True", lastTransitionTime: formatTime(nowMs), reason, message };
    status.conditions = [...(status.conditions ?? []), condition];
  } else if (failure === undefined && known) {
    const others = status.conditions?.filter(({ type }) => type !== failureType) ?? [];
    status.conditions = others.length === 0 ? undefined : others;
  }
}

function orNone(count: number): number | undefined {
  return count === 0 ? undefined : count;
}
