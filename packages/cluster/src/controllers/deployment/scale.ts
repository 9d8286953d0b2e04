import { desiredBefore } from "./annotations.js";
import { isRolling, maxSurge, wantedReplicas } from "./limits.js";
import { proportions } from "./proportions.js";
import { allOf, byAge, isActive, type ReplicaSets, type ReplicaSetView, sizeOf } from "./replica-sets.js";
import { type Rollout, scaleTo } from "./rollout.js";

/** Whether the Deployment wants another number of pods than when its ReplicaSets were last scaled. */
export function isScaling({ deployment }: Rollout, sets: ReplicaSets): boolean {
  const wanted = wantedReplicas(deployment);
  return allOf(sets).some((set) => isActive(set) && (desiredBefore(set) ?? wanted) !== wanted);
}

/**
 * Gives the ReplicaSets of a Deployment the sizes that go with its own: the only one that has pods takes all of them, several share them in
 * proportion, so that scaling in the middle of a roll-out does not speed it up.
 */
export async function scale(rollout: Rollout, sets: ReplicaSets): Promise<ReplicaSets> {
  const { deployment, status } = rollout;
  const wanted = wantedReplicas(deployment);
  const only = onlyOrLatest(sets);
  if (only !== undefined) return replaced(sets, new Map([[only, await scaleTo(rollout, only, wanted)]]));
  const scaled = new Map<ReplicaSetView, ReplicaSetView>();
  if (isSaturated(sets.current, wanted)) {
    for (const set of sets.old.filter(isActive)) scaled.set(set, await scaleTo(rollout, set, 0));
  } else if (isRolling(deployment)) {
    const target = { wanted, max: wanted + maxSurge(deployment), actual: status.replicas ?? 0 };
    for (const [set, size] of proportions(allOf(sets).filter(isActive), target))
      scaled.set(set, await scaleTo(rollout, set, size, { always: true }));
  }
  return replaced(sets, scaled);
}

/** The only ReplicaSet with pods, or, where none has any, the newest; undefined where several have, or there is none. */
function onlyOrLatest(sets: ReplicaSets): ReplicaSetView | undefined {
  const active = allOf(sets).filter(isActive);
  if (active.length > 1) return undefined;
  return active[0] ?? sets.current ?? [...sets.old].sort(byAge).at(-1);
}

/** Whether the current ReplicaSet has all the wanted pods, and was told that these are all. */
function isSaturated(set: ReplicaSetView | undefined, wanted: number): boolean {
  if (set === undefined) return false;
  return sizeOf(set) === wanted && desiredBefore(set) === wanted && (set.status?.availableReplicas ?? 0) === wanted;
}

function replaced(sets: ReplicaSets, by: ReadonlyMap<ReplicaSetView, ReplicaSetView>): ReplicaSets {
  const { current } = sets;
  return {
    current: current === undefined ? undefined : (by.get(current) ?? current),
    old: sets.old.map((set) => by.get(set) ?? set),
  };
}
