import { cleanUp } from "./clean-up.js";
import { conditionFrom, conditionOf, withCondition } from "./conditions.js";
import { updateCurrent } from "./current-replica-set.js";
import { isRolling, progressDeadline } from "./limits.js";
import { type ReplicaSets, type ReplicaSetView, splitReplicaSets } from "./replica-sets.js";
import { rollBack, rollbackTarget } from "./rollback.js";
import { recreate, rollingUpdate } from "./rolling-update.js";
import type { Rollout } from "./rollout.js";
import { isScaling, scale } from "./scale.js";
import { isComplete, updateStatus } from "./status.js";

/**
 * Syncs a Deployment: runs one step of its rollout and sets its status. Returns the milliseconds until the next check of its progress
 * deadline, or undefined if none is needed.
 */
export async function syncDeployment(rollout: Rollout, known: readonly ReplicaSetView[]): Promise<number | undefined> {
  const { deployment, status, nowMs } = rollout;
  const found = splitReplicaSets(deployment, known);
  const isTerminating = deployment.metadata.deletionTimestamp !== undefined;
  if (!isTerminating) updatePaused(rollout);
  const current = found.current && (await updateCurrent(rollout, found.current, found.old));
  const sets: ReplicaSets = { current, old: found.old };
  if (isTerminating) return updateStatus(status, { deployment, sets, nowMs }, false);
  const { paused = false } = deployment.spec;
  const target = rollbackTarget(deployment);
  if (!paused && target !== undefined) {
    await rollBack(rollout, sets, target);
    return undefined;
  }
  if (paused || isScaling(rollout, sets)) {
    const scaled = await scale(rollout, sets);
    if (paused && target === undefined) await cleanUp(rollout, scaled.old);
    return updateStatus(status, { deployment, sets: scaled, nowMs }, false);
  }
  const step = await (isRolling(deployment) ? rollingUpdate : recreate)(rollout, sets);
  const againInMs = updateStatus(status, { deployment, sets: step.sets, nowMs }, true);
  if (step.isDone && isComplete(deployment, status)) await cleanUp(rollout, step.sets.old);
  return againInMs;
}

/** Records pause and resume in the Progressing condition, so that a paused Deployment does not exceed its progress deadline. */
function updatePaused({ deployment, status, nowMs }: Rollout): void {
  const known = conditionOf(status.conditions, "Progressing");
  if (progressDeadline(deployment) === undefined || known?.reason === "ProgressDeadlineExceeded") return;
  const { paused = false } = deployment.spec;
  if (paused === (known?.reason === "DeploymentPaused")) return;
  const [reason, message] = paused
    ? (["DeploymentPaused", "Deployment is paused"] as const)
    : (["DeploymentResumed", "Deployment is resumed"] as const);
  const condition = conditionFrom({ type: "Progressing", status: "Unknown", reason, message }, nowMs);
  status.conditions = [...withCondition(status.conditions ?? [], condition)];
}
