import type { ReadOf } from "kubewright";
import type { HorizontalPodAutoscaler } from "kubewright/k8s/autoscaling/v2";
import type { Pod } from "kubewright/k8s/core/v1";

/** Objects that the HPA controller reads, as the cache returns them. */
export type ReadAutoscaler = ReadOf<typeof HorizontalPodAutoscaler>;
export type ReadBehavior = NonNullable<ReadAutoscaler["spec"]["behavior"]>;
export type ReadRules = NonNullable<ReadBehavior["scaleUp"]>;
export type ReadMetric = NonNullable<ReadAutoscaler["spec"]["metrics"]>[number];
export type ReadMetricStatus = NonNullable<NonNullable<ReadAutoscaler["status"]>["currentMetrics"]>[number];
export type ReadPod = ReadOf<typeof Pod>;
