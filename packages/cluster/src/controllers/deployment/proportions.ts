import { maxBefore } from "./annotations.js";
import { byAge, type ReplicaSetView, sizeOf, total } from "./replica-sets.js";

/** How large a Deployment is to be. */
export interface TargetSize {
  readonly wanted: number;
  /** With the pods that may be there above the wanted ones. */
  readonly max: number;
  /** How many pods there are, where ReplicaSets do not tell what share of all they are. */
  readonly actual: number;
}

/**
 * How many pods each of these ReplicaSets is to have so that together they have as many as a Deployment may, each in its share. What is left
 * over goes to the largest; of equal ones the newer grows first, and the older shrinks first.
 */
export function proportions(sets: readonly ReplicaSetView[], target: TargetSize): ReadonlyMap<ReplicaSetView, number> {
  const allowed = target.wanted > 0 ? target.max : 0;
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

/** By how many pods a ReplicaSet grows or shrinks when the Deployment does. */
function shareOf(set: ReplicaSetView, { wanted, max, actual }: TargetSize): number {
  const size = sizeOf(set);
  if (wanted === 0) return -size;
  const before = maxBefore(set) || actual;
  if (before === 0) return 0;
  return roundHalfAway((size * max) / before) - size;
}

function roundHalfAway(value: number): number {
  return value < 0 ? -Math.floor(0.5 - value) : Math.floor(value + 0.5);
}
