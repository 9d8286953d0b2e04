import type { DeepReadonly } from "@kubewright/core/json";
import type { ReadOf } from "kubewright";
import type { ContainerStatus, Node, Pod, PodSpec, PodStatus } from "kubewright/k8s/core/v1";

/** A pod as caches give it. */
export type ReadPod = ReadOf<typeof Pod>;
/** A node as caches give it. */
export type ReadNode = ReadOf<typeof Node>;
/** The parts of a pod as caches give them. */
export type ReadPodSpec = DeepReadonly<PodSpec>;
export type ReadPodStatus = DeepReadonly<PodStatus>;
export type ReadContainerStatus = DeepReadonly<ContainerStatus>;
export type ReadContainer = ReadPodSpec["containers"][number];
