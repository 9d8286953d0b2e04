import { lastDesiredReplicas } from "./annotations.js";
import { desiredReplicas, isRolling, maxSurge } from "./limits.js";
import { proportions } from "./proportions.js";
import { allOf, byAge, isActive, type ReplicaSets, type ReplicaSetView, sizeOf } from "./replica-sets.js";
import { type Rollout, scaleTo } from "./rollout.js";

/** Whether `spec.replicas` of the Deployment changed since its ReplicaSets were last scaled. */
export function isScaling({ deployment }: Rollout, sets: ReplicaSets): boolean {
  const desired = desiredReplicas(deployment);
  return allOf(sets).some((set) => isActive(set) && (lastDesiredReplicas(set) ?? desired) !== desired);
}

/**
 * Scales the ReplicaSets to the Deployment's size: a single active one gets all replicas, several are scaled proportionally, so that
 * scaling during a rollout does not speed it up.
 */
export async function scale(rollout: Rollout, sets: ReplicaSets): Promise<ReplicaSets> {
  const { deployment, status } = rollout;
  const desired = desiredReplicas(deployment);
  const only = onlyOrLatest(sets);
  if (only !== undefined) return replaced(sets, new Map([[only, await scaleTo(rollout, only, desired)]]));
  const scaled = new Map<ReplicaSetView, ReplicaSetView>();
  if (isSaturated(sets.current, desired)) {
    for (const set of sets.old.filter(isActive)) scaled.set(set, await scaleTo(rollout, set, 0));
  } else if (isRolling(deployment)) {
    const target = { desired, max: desired + maxSurge(deployment), actual: status.replicas ?? 0 };
    for (const [set, size] of proportions(allOf(sets).filter(isActive), target))
      scaled.set(set, await scaleTo(rollout, set, size, { always: true }));
  }
  return replaced(sets, scaled);
}

/** The only active ReplicaSet, or the newest one if none is active; undefined if several are active or none exists. */
function onlyOrLatest(sets: ReplicaSets): ReplicaSetView | undefined {
  const active = allOf(sets).filter(isActive);
  if (active.length > 1) return undefined;
  return active[0] ?? sets.current ?? [...sets.old].sort(byAge).at(-1);
}

/** Whether the current ReplicaSet has all desired replicas in spec, annotation and status. */
function isSaturated(set: ReplicaSetView | undefined, desired: number): boolean {
  if (set === undefined) return false;
  return (
    sizeOf(set) === desired && lastDesiredReplicas(set) === desired && (set.status?.availableReplicas ?? 0) === desired
  );
}

function replaced(sets: ReplicaSets, by: ReadonlyMap<ReplicaSetView, ReplicaSetView>): ReplicaSets {
  const { current } = sets;
  return {
    current: current === undefined ? undefined : (by.get(current) ?? current),
    old: sets.old.map((set) => by.get(set) ?? set),
  };
}
