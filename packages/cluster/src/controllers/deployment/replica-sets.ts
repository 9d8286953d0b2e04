import type { ReadOf } from "kubewright";
import type { ReplicaSet } from "kubewright/k8s/apps/v1";
import { isSameTemplate } from "../template-hash/index.js";
import type { DeploymentView } from "./limits.js";

/** A ReplicaSet from the cache. */
export type ReplicaSetView = ReadOf<typeof ReplicaSet>;

/** The ReplicaSets of a Deployment. */
export interface ReplicaSets {
  /** The one with the current template. */
  readonly current: ReplicaSetView | undefined;
  readonly old: readonly ReplicaSetView[];
}

/** Separates the ReplicaSet with the Deployment's template (the oldest, if there are several) from the others. */
export function splitReplicaSets({ spec }: DeploymentView, sets: readonly ReplicaSetView[]): ReplicaSets {
  const sorted = [...sets].sort(byAge);
  const current = sorted.find((set) => isSameTemplate(set.spec.template ?? {}, spec.template));
  return { current, old: sorted.filter((set) => set !== current) };
}

/** All ReplicaSets, the current one last. */
export function allOf({ current, old }: ReplicaSets): readonly ReplicaSetView[] {
  return current === undefined ? old : [...old, current];
}

/** Orders by creation time, older first. */
export function byAge(a: ReplicaSetView, b: ReplicaSetView): number {
  const [left, right] = [a.metadata.creationTimestamp, b.metadata.creationTimestamp];
  if (left !== right) return left < right ? -1 : 1;
  return a.metadata.name < b.metadata.name ? -1 : 1;
}

/** `spec.replicas` of a ReplicaSet. */
export function sizeOf({ spec }: ReplicaSetView): number {
  return spec.replicas ?? 1;
}

/** Whether a ReplicaSet has replicas in its spec. */
export function isActive(set: ReplicaSetView): boolean {
  return sizeOf(set) > 0;
}

/** The sum of a number over all ReplicaSets. */
export function total(sets: readonly ReplicaSetView[], of: (set: ReplicaSetView) => number | undefined): number {
  return sets.reduce((sum, set) => sum + (of(set) ?? 0), 0);
}
