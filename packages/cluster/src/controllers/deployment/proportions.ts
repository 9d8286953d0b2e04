import { lastMaxReplicas } from "./annotations.js";
import { byAge, type ReplicaSetView, sizeOf, total } from "./replica-sets.js";

/** The size to scale a Deployment to. */
export interface TargetSize {
  readonly desired: number;
  /** `desired` plus maxSurge. */
  readonly max: number;
  /** The current number of Pods, for ReplicaSets without a max-replicas annotation. */
  readonly actual: number;
}

/**
 * Proportional scaling: distributes the allowed replicas over the ReplicaSets by their sizes. The rest goes to the largest; of
 * equal ones the newer scales up first, and the older scales down first.
 */
export function proportions(sets: readonly ReplicaSetView[], target: TargetSize): ReadonlyMap<ReplicaSetView, number> {
  const allowed = target.desired > 0 ? target.max : 0;
  const toAdd = allowed - total(sets, sizeOf);
  const sorted = [...sets];
  if (toAdd !== 0) sorted.sort((a, b) => sizeOf(b) - sizeOf(a) || (toAdd > 0 ? byAge(b, a) : byAge(a, b)));
  const sizes = new Map<ReplicaSetView, number>();
  let added = 0;
  for (const set of sorted) {
    const share = toAdd === added ? 0 : shareOf(set, target);
    const part = toAdd > 0 ? Math.min(share, toAdd - added) : Math.max(share, toAdd - added);
    sizes.set(set, sizeOf(set) + part);
    added += part;
  }
  const [largest] = sorted;
  if (largest !== undefined) sizes.set(largest, Math.max(0, (sizes.get(largest) ?? 0) + toAdd - added));
  return sizes;
}

/** The difference in replicas that is a ReplicaSet's proportion. */
function shareOf(set: ReplicaSetView, { desired, max, actual }: TargetSize): number {
  const size = sizeOf(set);
  if (desired === 0) return -size;
  const before = lastMaxReplicas(set) || actual;
  if (before === 0) return 0;
  return roundHalfAway((size * max) / before) - size;
}

function roundHalfAway(value: number): number {
  return value < 0 ? -Math.floor(0.5 - value) : Math.floor(value + 0.5);
}
