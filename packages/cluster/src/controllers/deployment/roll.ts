import { isPodActive, isPodTerminating } from "../pod/index.js";
import { createCurrent, currentSize } from "./current-replica-set.js";
import { maxUnavailable, wantedReplicas } from "./limits.js";
import { allOf, byAge, isActive, type ReplicaSets, type ReplicaSetView, sizeOf, total } from "./replica-sets.js";
import { type Rollout, scaleTo } from "./rollout.js";

/** What a step of a roll-out left behind. */
export interface Step {
  readonly sets: ReplicaSets;
  /** Nothing was scaled: there may be something to clean up. */
  readonly isDone: boolean;
}

/** One step of a rolling update: the current ReplicaSet grows as far as it may; where it cannot, old ones shrink as far as they may. */
export async function rollOn(rollout: Rollout, sets: ReplicaSets): Promise<Step> {
  const current = sets.current ?? (await createCurrent(rollout, sets.old));
  if (current === undefined) return { sets, isDone: true };
  const all: ReplicaSets = { current, old: sets.old };
  const grown = await growCurrent(rollout, all, current);
  if (grown !== current) return { sets: { current: grown, old: sets.old }, isDone: false };
  const old = await shrinkOld(rollout, all, current);
  return { sets: { current, old }, isDone: old.every((set, index) => set === sets.old[index]) };
}

async function growCurrent(rollout: Rollout, sets: ReplicaSets, current: ReplicaSetView): Promise<ReplicaSetView> {
  const wanted = wantedReplicas(rollout.deployment);
  const size = sizeOf(current);
  return scaleTo(rollout, current, size > wanted ? wanted : currentSize(rollout, allOf(sets), size));
}

/** The old ReplicaSets after some of them shrank: first by their pods that do not work, then by as many as may be missing. */
async function shrinkOld(
  rollout: Rollout,
  sets: ReplicaSets,
  current: ReplicaSetView,
): Promise<readonly ReplicaSetView[]> {
  const { deployment } = rollout;
  const minAvailable = wantedReplicas(deployment) - maxUnavailable(deployment);
  const missing = sizeOf(current) - (current.status?.availableReplicas ?? 0);
  const shrinkable = total(allOf(sets), sizeOf) - minAvailable - missing;
  if (shrinkable <= 0 || total(sets.old, sizeOf) === 0) return sets.old;
  const sorted = [...sets.old].filter(isActive).sort(byAge);
  // More are available than there are to be: the ReplicaSet has not followed yet, and its numbers are of no use.
  if (sorted.some((set) => (set.status?.availableReplicas ?? 0) > sizeOf(set))) return sets.old;
  const healthy = await shrink(
    rollout,
    sorted,
    shrinkable,
    (set) => sizeOf(set) - (set.status?.availableReplicas ?? 0),
  );
  const available = total([...healthy, current], (set) => set.status?.availableReplicas);
  const smaller = await shrink(rollout, healthy, available - minAvailable, sizeOf);
  const changed = new Map(sorted.map((set, index) => [set, smaller[index] ?? set]));
  return sets.old.map((set) => changed.get(set) ?? set);
}

/** Takes up to `count` pods off the ReplicaSets in their order, off each no more than it can give. */
async function shrink(
  rollout: Rollout,
  sets: readonly ReplicaSetView[],
  count: number,
  canGive: (set: ReplicaSetView) => number,
): Promise<readonly ReplicaSetView[]> {
  const result: ReplicaSetView[] = [];
  let left = count;
  for (const set of sets) {
    const taken = Math.max(0, Math.min(left, canGive(set)));
    result.push(taken === 0 ? set : await scaleTo(rollout, set, sizeOf(set) - taken));
    left -= taken;
  }
  return result;
}

/** One step of recreating: old pods go, and when the last has gone the new ones come. */
export async function recreate(rollout: Rollout, sets: ReplicaSets): Promise<Step> {
  const active = sets.old.filter(isActive);
  if (active.length > 0) {
    const emptied = new Map<ReplicaSetView, ReplicaSetView>();
    for (const set of active) emptied.set(set, await scaleTo(rollout, set, 0));
    return { sets: { ...sets, old: sets.old.map((set) => emptied.get(set) ?? set) }, isDone: false };
  }
  if (await hasOldPods(rollout, sets.old)) return { sets, isDone: false };
  const current = sets.current ?? (await createCurrent(rollout, sets.old));
  if (current === undefined) return { sets, isDone: true };
  return {
    sets: { current: await scaleTo(rollout, current, wantedReplicas(rollout.deployment)), old: sets.old },
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
