import type { DeepReadonly } from "@kubewright/core/json";
import type { ReadOf } from "kubewright";
import type { Node, NodeSelector, Pod, PodAffinityTerm } from "kubewright/k8s/core/v1";
import type { StorageClass } from "kubewright/k8s/storage/v1";

/** Objects as the cache returns them. */
export type ReadPod = ReadOf<typeof Pod>;
export type ReadNode = ReadOf<typeof Node>;
export type ReadStorageClass = ReadOf<typeof StorageClass>;
export type ReadNodeSelector = DeepReadonly<NodeSelector>;
export type ReadAffinityTerm = DeepReadonly<PodAffinityTerm>;
export type ReadSpreadConstraint = NonNullable<NonNullable<ReadPod["spec"]>["topologySpreadConstraints"]>[number];
export type ReadToleration = NonNullable<NonNullable<ReadPod["spec"]>["tolerations"]>[number];
export type ReadTaint = NonNullable<NonNullable<ReadNode["spec"]>["taints"]>[number];

/** The priority of a Pod. */
export function priorityOf(pod: ReadPod): number {
  return pod.spec?.priority ?? 0;
}
