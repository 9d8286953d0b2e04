import { resolveIntOrPercent } from "@kubewright/core/meta";
import type { ReadOf } from "kubewright";
import type { Deployment } from "kubewright/k8s/apps/v1";

/** A Deployment from the cache. */
export type DeploymentView = ReadOf<typeof Deployment>;

/** MaxInt32 means no deadline and no history limit. */
const unlimited = 2 ** 31 - 1;

/** `spec.replicas` of a Deployment. */
export function desiredReplicas({ spec }: DeploymentView): number {
  return spec.replicas ?? 1;
}

/** Whether the strategy is RollingUpdate. */
export function isRolling({ spec }: DeploymentView): boolean {
  return (spec.strategy?.type ?? "RollingUpdate") === "RollingUpdate";
}

/** maxSurge as a number. */
export function maxSurge(deployment: DeploymentView): number {
  return isRolling(deployment) ? fenceposts(deployment).surge : 0;
}

/** maxUnavailable as a number. */
export function maxUnavailable(deployment: DeploymentView): number {
  const desired = desiredReplicas(deployment);
  return isRolling(deployment) && desired > 0 ? Math.min(fenceposts(deployment).unavailable, desired) : 0;
}

/** progressDeadlineSeconds; undefined for no deadline. */
export function progressDeadline({ spec }: DeploymentView): number | undefined {
  const { progressDeadlineSeconds: seconds } = spec;
  return seconds === unlimited ? undefined : seconds;
}

/** revisionHistoryLimit; undefined for no limit. */
export function historyLimit({ spec }: DeploymentView): number | undefined {
  return spec.revisionHistoryLimit === unlimited ? undefined : spec.revisionHistoryLimit;
}

function fenceposts(deployment: DeploymentView): { readonly surge: number; readonly unavailable: number } {
  const { maxSurge: up = 0, maxUnavailable: down = 0 } = deployment.spec.strategy?.rollingUpdate ?? {};
  const desired = desiredReplicas(deployment);
  const surge = resolveIntOrPercent(up, desired, "up");
  const unavailable = resolveIntOrPercent(down, desired, "down");
  // Small percentages can both resolve to 0, and then no Pod could ever be replaced.
  return { surge, unavailable: surge === 0 && unavailable === 0 ? 1 : unavailable };
}
