import { isPodActive, isPodTerminating } from "../pod/index.js";
import { createCurrent, currentSize } from "./current-replica-set.js";
import { desiredReplicas, maxUnavailable } from "./limits.js";
import { allOf, byAge, isActive, type ReplicaSets, type ReplicaSetView, sizeOf, total } from "./replica-sets.js";
import { type Rollout, scaleTo } from "./rollout.js";

/** The result of one rollout step. */
export interface Step {
  readonly sets: ReplicaSets;
  /** Nothing was scaled, so cleanup may run. */
  readonly isDone: boolean;
}

/** One step of a rolling update: scales up the current ReplicaSet; if that is not possible, scales down old ones. */
export async function rollingUpdate(rollout: Rollout, sets: ReplicaSets): Promise<Step> {
  const current = sets.current ?? (await createCurrent(rollout, sets.old));
  if (current === undefined) return { sets, isDone: true };
  const all: ReplicaSets = { current, old: sets.old };
  const scaled = await scaleUpCurrent(rollout, all, current);
  if (scaled !== current) return { sets: { current: scaled, old: sets.old }, isDone: false };
  const old = await scaleDownOld(rollout, all, current);
  return { sets: { current, old }, isDone: old.every((set, index) => set === sets.old[index]) };
}

async function scaleUpCurrent(rollout: Rollout, sets: ReplicaSets, current: ReplicaSetView): Promise<ReplicaSetView> {
  const desired = desiredReplicas(rollout.deployment);
  const size = sizeOf(current);
  return scaleTo(rollout, current, size > desired ? desired : currentSize(rollout, allOf(sets), size));
}

/** Scales down old ReplicaSets: first their unavailable Pods, then as many as maxUnavailable allows. */
async function scaleDownOld(
  rollout: Rollout,
  sets: ReplicaSets,
  current: ReplicaSetView,
): Promise<readonly ReplicaSetView[]> {
  const { deployment } = rollout;
  const minAvailable = desiredReplicas(deployment) - maxUnavailable(deployment);
  const unavailable = sizeOf(current) - (current.status?.availableReplicas ?? 0);
  const surplus = total(allOf(sets), sizeOf) - minAvailable - unavailable;
  if (surplus <= 0 || total(sets.old, sizeOf) === 0) return sets.old;
  const sorted = [...sets.old].filter(isActive).sort(byAge);
  // More Pods are available than the spec requests: the ReplicaSet's status is stale.
  if (sorted.some((set) => (set.status?.availableReplicas ?? 0) > sizeOf(set))) return sets.old;
  const healthy = await scaleDown(
    rollout,
    sorted,
    surplus,
    (set) => sizeOf(set) - (set.status?.availableReplicas ?? 0),
  );
  const available = total([...healthy, current], (set) => set.status?.availableReplicas);
  const smaller = await scaleDown(rollout, healthy, available - minAvailable, sizeOf);
  const changed = new Map(sorted.map((set, index) => [set, smaller[index] ?? set]));
  return sets.old.map((set) => changed.get(set) ?? set);
}

/** Removes up to `count` replicas from the ReplicaSets in order, at most `limitOf` from each. */
async function scaleDown(
  rollout: Rollout,
  sets: readonly ReplicaSetView[],
  count: number,
  limitOf: (set: ReplicaSetView) => number,
): Promise<readonly ReplicaSetView[]> {
  const result: ReplicaSetView[] = [];
  let left = count;
  for (const set of sets) {
    const removed = Math.max(0, Math.min(left, limitOf(set)));
    result.push(removed === 0 ? set : await scaleTo(rollout, set, sizeOf(set) - removed));
    left -= removed;
  }
  return result;
}

/** One step of Recreate: scales old ReplicaSets to 0, and scales up the current one once the last old Pod is gone. */
export async function recreate(rollout: Rollout, sets: ReplicaSets): Promise<Step> {
  const active = sets.old.filter(isActive);
  if (active.length > 0) {
    const scaledDown = new Map<ReplicaSetView, ReplicaSetView>();
    for (const set of active) scaledDown.set(set, await scaleTo(rollout, set, 0));
    return { sets: { ...sets, old: sets.old.map((set) => scaledDown.get(set) ?? set) }, isDone: false };
  }
  if (await hasOldPods(rollout, sets.old)) return { sets, isDone: false };
  const current = sets.current ?? (await createCurrent(rollout, sets.old));
  if (current === undefined) return { sets, isDone: true };
  return {
    sets: { current: await scaleTo(rollout, current, desiredReplicas(rollout.deployment)), old: sets.old },
    isDone: true,
  };
}

async function hasOldPods(rollout: Rollout, old: readonly ReplicaSetView[]): Promise<boolean> {
  if (total(old, ({ status }) => status?.replicas) > 0) return true;
  for (const set of old) {
    const pods = await rollout.podsOf(set);
    if (pods.some((pod) => isPodActive(pod) || isPodTerminating(pod))) return true;
  }
  return false;
}
