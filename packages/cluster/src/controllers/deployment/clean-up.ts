import { revisionOf } from "./annotations.js";
import { historyLimit } from "./limits.js";
import { byAge, type ReplicaSetView, sizeOf } from "./replica-sets.js";
import type { Rollout } from "./rollout.js";

/** Deletes the oldest ReplicaSets beyond revisionHistoryLimit, except those that still have Pods. */
export async function cleanUp(rollout: Rollout, old: readonly ReplicaSetView[]): Promise<void> {
  const limit = historyLimit(rollout.deployment);
  if (limit === undefined) return;
  const alive = old.filter(({ metadata }) => metadata.deletionTimestamp === undefined);
  const surplus = [...alive].sort(byRevision).slice(0, Math.max(0, alive.length - limit));
  for (const set of surplus) if (isEmpty(set)) await rollout.delete(set);
}

function isEmpty(set: ReplicaSetView): boolean {
  const { replicas = 0, observedGeneration = 0 } = set.status ?? {};
  return replicas === 0 && sizeOf(set) === 0 && (set.metadata.generation ?? 0) <= observedGeneration;
}

function byRevision(a: ReplicaSetView, b: ReplicaSetView): number {
  const [left, right] = [revisionOf(a), revisionOf(b)];
  if (left === undefined || right === undefined || left === right) return byAge(a, b);
  return left < right ? -1 : 1;
}
