import type { DeepReadonly } from "@kubewright/core/json";
import type { ReadOf } from "kubewright";
import type { ContainerStatus, Node, Pod, PodSpec, PodStatus } from "kubewright/k8s/core/v1";

/** A Pod as the cache returns it. */
export type ReadPod = ReadOf<typeof Pod>;
/** A Node as the cache returns it. */
export type ReadNode = ReadOf<typeof Node>;
/** Parts of a Pod as the cache returns them. */
export type ReadPodSpec = DeepReadonly<PodSpec>;
export type ReadPodStatus = DeepReadonly<PodStatus>;
export type ReadContainerStatus = DeepReadonly<ContainerStatus>;
export type ReadContainer = ReadPodSpec["containers"][number];
