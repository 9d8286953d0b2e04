import type { DeploymentStatus } from "kubewright/k8s/apps/v1";
import {
  type Conditions,
  conditionFrom,
  conditionOf,
  type NewCondition,
  withCondition,
  without,
} from "./conditions.js";
import { type DeploymentView, desiredReplicas, maxUnavailable, progressDeadline } from "./limits.js";
import { allOf, type ReplicaSets, type ReplicaSetView, sizeOf, total } from "./replica-sets.js";

/** The counters of a Deployment's status. */
interface Counts {
  readonly replicas: number;
  readonly updatedReplicas: number;
  readonly readyReplicas: number;
  readonly availableReplicas: number;
}

/** Input of {@link updateStatus}. */
export interface StatusInput {
  readonly deployment: DeploymentView;
  readonly sets: ReplicaSets;
  readonly nowMs: number;
}

/**
 * Sets the counters and the Available condition; with `rollout`, also Progressing and ReplicaFailure. Returns the
 * milliseconds until the progress deadline, or undefined if there is none to wait for.
 */
export function updateStatus(status: DeploymentStatus, input: StatusInput, rollout: boolean): number | undefined {
  const { deployment, sets, nowMs } = input;
  const before = countsOf(status);
  const all = allOf(sets);
  const counts: Counts = {
    replicas: total(all, (set) => set.status?.replicas),
    updatedReplicas: sets.current?.status?.replicas ?? 0,
    readyReplicas: total(all, (set) => set.status?.readyReplicas),
    availableReplicas: total(all, (set) => set.status?.availableReplicas),
  };
  const unavailable = Math.max(0, total(all, sizeOf) - counts.availableReplicas);
  let conditions = withCondition(status.conditions ?? [], conditionFrom(availability(deployment, counts), nowMs));
  if (rollout) conditions = withProgress(conditions, { ...input, before, counts });
  if (rollout) conditions = withFailures(conditions, sets);
  status.observedGeneration = deployment.metadata.generation;
  status.replicas = omitZero(counts.replicas);
  status.updatedReplicas = omitZero(counts.updatedReplicas);
  status.readyReplicas = omitZero(counts.readyReplicas);
  status.availableReplicas = omitZero(counts.availableReplicas);
  status.unavailableReplicas = omitZero(unavailable);
  status.terminatingReplicas = terminating(all);
  status.conditions = [...conditions];
  return rollout && !isCompleteWith(deployment, counts) ? untilDeadline(deployment, conditions, nowMs) : undefined;
}

/** Whether the rollout is complete: all replicas are updated and available, and no old ones are left. */
export function isComplete(deployment: DeploymentView, status: DeploymentStatus): boolean {
  return (
    isCompleteWith(deployment, countsOf(status)) &&
    (status.observedGeneration ?? 0) >= (deployment.metadata.generation ?? 0)
  );
}

function isCompleteWith(deployment: DeploymentView, counts: Counts): boolean {
  const desired = desiredReplicas(deployment);
  return [counts.updatedReplicas, counts.replicas, counts.availableReplicas].every((count) => count === desired);
}

function countsOf(status: DeploymentStatus): Counts {
  const { replicas = 0, updatedReplicas = 0, readyReplicas = 0, availableReplicas = 0 } = status;
  return { replicas, updatedReplicas, readyReplicas, availableReplicas };
}

function availability(deployment: DeploymentView, { availableReplicas }: Counts): NewCondition {
  return availableReplicas >= desiredReplicas(deployment) - maxUnavailable(deployment)
    ? {
        type: "Available",
        status: "True",
        reason: "MinimumReplicasAvailable",
        message: "Deployment has minimum availability.",
      }
    : {
        type: "Available",
        status: "False",
        reason: "MinimumReplicasUnavailable",
        message: "Deployment does not have minimum availability.",
      };
}

interface Progress extends StatusInput {
  readonly before: Counts;
  readonly counts: Counts;
}

function withProgress(conditions: Conditions, progress: Progress): Conditions {
  const { deployment, sets, nowMs, counts } = progress;
  if (progressDeadline(deployment) === undefined) return without(conditions, "Progressing");
  const known = conditionOf(conditions, "Progressing");
  const wasComplete = counts.replicas === counts.updatedReplicas && known?.reason === "NewReplicaSetAvailable";
  if (wasComplete) return conditions;
  const { name } = sets.current?.metadata ?? deployment.metadata;
  const subject = `${sets.current === undefined ? "Deployment" : "ReplicaSet"} "${name}"`;
  const condition = (status: NewCondition["status"], reason: string, message: string) =>
    conditionFrom({ type: "Progressing", status, reason, message: `${subject} ${message}` }, nowMs);
  if (isCompleteWith(deployment, counts))
    return withCondition(conditions, condition("True", "NewReplicaSetAvailable", "has successfully progressed."));
  if (hasProgressed(progress)) {
    // Replaces the condition even if the reason is unchanged: lastUpdateTime records the last progress.
    const next = condition("True", "ReplicaSetUpdated", "is progressing.");
    const keeps = known?.status === "True" ? { lastTransitionTime: known.lastTransitionTime } : {};
    return [...without(conditions, "Progressing"), { ...next, ...keeps }];
  }
  if (isTimedOut(progress, known))
    return withCondition(conditions, condition("False", "ProgressDeadlineExceeded", "has timed out progressing."));
  return conditions;
}

/** Whether more replicas are updated, ready or available than before, or fewer old ones are left. */
function hasProgressed({ before, counts }: Progress): boolean {
  return (
    counts.updatedReplicas > before.updatedReplicas ||
    counts.replicas - counts.updatedReplicas < before.replicas - before.updatedReplicas ||
    counts.readyReplicas > before.readyReplicas ||
    counts.availableReplicas > before.availableReplicas
  );
}

function isTimedOut({ deployment, nowMs }: Progress, known: ReturnType<typeof conditionOf>): boolean {
  if (known === undefined || known.reason === "NewReplicaSetAvailable") return false;
  if (known.reason === "ProgressDeadlineExceeded") return true;
  return Date.parse(known.lastUpdateTime ?? "") + (progressDeadline(deployment) ?? 0) * 1_000 < nowMs;
}

/** Adds one second, because timestamps have whole seconds. */
function untilDeadline(deployment: DeploymentView, conditions: Conditions, nowMs: number): number | undefined {
  const seconds = progressDeadline(deployment);
  const known = conditionOf(conditions, "Progressing");
  // A complete rollout has no deadline until its next step, and an exceeded deadline stays exceeded.
  const isSettled = known?.reason === "ProgressDeadlineExceeded" || known?.reason === "NewReplicaSetAvailable";
  if (seconds === undefined || known === undefined || isSettled) return undefined;
  return Math.max(0, Date.parse(known.lastUpdateTime ?? "") + seconds * 1_000 - nowMs) + 1_000;
}

function withFailures(conditions: Conditions, { current, old }: ReplicaSets): Conditions {
  const failureOf = (set: ReplicaSetView | undefined) =>
    set?.status?.conditions?.find(({ type }) => type === "ReplicaFailure");
  const failure = failureOf(current) ?? old.map(failureOf).find((one) => one !== undefined);
  if (failure === undefined) return without(conditions, "ReplicaFailure");
  return withCondition(conditions, { ...failure, lastUpdateTime: failure.lastTransitionTime });
}

/** The sum of terminatingReplicas; undefined if a synced ReplicaSet does not report it. */
function terminating(sets: readonly ReplicaSetView[]): number | undefined {
  let sum = 0;
  for (const { status } of sets) {
    const { observedGeneration = 0, terminatingReplicas } = status ?? {};
    if (terminatingReplicas === undefined && observedGeneration !== 0) return undefined;
    sum += terminatingReplicas ?? 0;
  }
  return sum;
}

function omitZero(count: number): number | undefined {
  return count === 0 ? undefined : count;
}
