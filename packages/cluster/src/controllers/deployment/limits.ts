import { resolveIntOrPercent } from "@kubewright/core/meta";
import type { ReadOf } from "kubewright";
import type { Deployment } from "kubewright/k8s/apps/v1";

/** A Deployment as it was read. */
export type DeploymentView = ReadOf<typeof Deployment>;

/** Time limits and history limits that mean: none. */
const none = 2 ** 31 - 1;

/** How many pods a Deployment wants. */
export function wantedReplicas({ spec }: DeploymentView): number {
  return spec.replicas ?? 1;
}

/** Whether a Deployment replaces its pods little by little. */
export function isRolling({ spec }: DeploymentView): boolean {
  return (spec.strategy?.type ?? "RollingUpdate") === "RollingUpdate";
}

/** How many pods there may be above the wanted number during a roll-out. */
export function maxSurge(deployment: DeploymentView): number {
  return isRolling(deployment) ? fenceposts(deployment).surge : 0;
}

/** How many pods may be missing during a roll-out. */
export function maxUnavailable(deployment: DeploymentView): number {
  const wanted = wantedReplicas(deployment);
  return isRolling(deployment) && wanted > 0 ? Math.min(fenceposts(deployment).unavailable, wanted) : 0;
}

/** Within how many seconds a roll-out must get on; undefined where it need not. */
export function progressDeadline({ spec }: DeploymentView): number | undefined {
  const { progressDeadlineSeconds: seconds } = spec;
  return seconds === none ? undefined : seconds;
}

/** How many old ReplicaSets are kept; undefined for all. */
export function historyLimit({ spec }: DeploymentView): number | undefined {
  return spec.revisionHistoryLimit === none ? undefined : spec.revisionHistoryLimit;
}

function fenceposts(deployment: DeploymentView): { readonly surge: number; readonly unavailable: number } {
  const { maxSurge: up = 0, maxUnavailable: down = 0 } = deployment.spec.strategy?.rollingUpdate ?? {};
  const wanted = wantedReplicas(deployment);
  const surge = resolveIntOrPercent(up, wanted, "up");
  const unavailable = resolveIntOrPercent(down, wanted, "down");
  // Small percentages can both come to nothing, and then no pod could ever be replaced.
  return { surge, unavailable: surge === 0 && unavailable === 0 ? 1 : unavailable };
}
