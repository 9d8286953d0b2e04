import { formatTime } from "@kubewright/core/meta";
import type { ReplicaSetStatus } from "kubewright/k8s/apps/v1";
import { isPodAvailable, isPodReady, type PodView } from "../pod/index.js";
import type { ReplicaFailure, ReplicaOwner } from "./replica-owner.js";

/** The status of a ReplicaSet; a ReplicationController has no terminatingReplicas. */
export type ReplicaCounts = ReplicaSetStatus;

/** The result of one sync. */
interface Seen {
  readonly owner: ReplicaOwner;
  readonly active: readonly PodView[];
  readonly terminating: number;
  readonly failure: ReplicaFailure | undefined;
  readonly nowMs: number;
}

const failureType = "ReplicaFailure";

/** Sets the status counters and the ReplicaFailure condition. Omits zeros as Go's omitempty does. */
export function updateStatus(status: ReplicaCounts, { owner, active, terminating, failure, nowMs }: Seen): void {
  const templateLabels = Object.entries(owner.template.metadata?.labels ?? {});
  const isFullyLabeled = ({ metadata }: PodView): boolean =>
    templateLabels.every(([name, value]) => metadata.labels?.[name] === value);
  const isAvailable = (pod: PodView): boolean => isPodAvailable(pod, owner.minReadySeconds, nowMs);
  status.replicas = active.length;
  status.fullyLabeledReplicas = omitZero(active.filter(isFullyLabeled).length);
  status.readyReplicas = omitZero(active.filter(isPodReady).length);
  status.availableReplicas = omitZero(active.filter(isAvailable).length);
  status.terminatingReplicas = terminating;
  status.observedGeneration = omitZero(owner.metadata.generation ?? 0);
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

function omitZero(count: number): number | undefined {
  return count === 0 ? undefined : count;
}
