// Written by tools/api-data from Kubernetes v1.36.4. Do not edit.
import { defineKind, type Kind, type ReadMeta } from "../../definition/index.js";
import type { LabelSelector } from "../meta/v1.gen.js";

export interface ContainerResourceMetricSource {
  container: string;
  name: string;
  target: MetricTarget;
}

export interface ContainerResourceMetricStatus {
  container: string;
  current: MetricValueStatus;
  name: string;
}

export interface CrossVersionObjectReference {
  apiVersion?: string | undefined;
  kind: string;
  name: string;
}

export interface ExternalMetricSource {
  metric: MetricIdentifier;
  target: MetricTarget;
}

export interface ExternalMetricStatus {
  current: MetricValueStatus;
  metric: MetricIdentifier;
}

export interface HPAScalingPolicy {
  periodSeconds: number;
  type: string;
  value: number;
}

export interface HPAScalingRules {
  policies?: HPAScalingPolicy[] | undefined;
  selectPolicy?: string | undefined;
  stabilizationWindowSeconds?: number | undefined;
  tolerance?: string | number | undefined;
}

/** An object of kind HorizontalPodAutoscaler in autoscaling/v2. */
export interface HorizontalPodAutoscaler {
  apiVersion: "autoscaling/v2";
  kind: "HorizontalPodAutoscaler";
  metadata: ReadMeta;
  spec: HorizontalPodAutoscalerSpec;
  status?: HorizontalPodAutoscalerStatus;
}
interface HorizontalPodAutoscalerTypes { read: HorizontalPodAutoscaler; write: { spec: HorizontalPodAutoscalerSpec; }; status: HorizontalPodAutoscalerStatus; conditions: never }
/** The kind HorizontalPodAutoscaler in autoscaling/v2. */
export const HorizontalPodAutoscaler: Kind<"autoscaling/v2/HorizontalPodAutoscaler", "Namespaced", HorizontalPodAutoscalerTypes> = /* @__PURE__ */ defineKind({ group: "autoscaling", version: "v2", kind: "HorizontalPodAutoscaler", plural: "horizontalpodautoscalers", scope: "Namespaced" });

export interface HorizontalPodAutoscalerBehavior {
  scaleDown?: HPAScalingRules | undefined;
  scaleUp?: HPAScalingRules | undefined;
}

export interface HorizontalPodAutoscalerCondition {
  lastTransitionTime?: string | undefined;
  message?: string | undefined;
  reason?: string | undefined;
  status: string;
  type: string;
}

export interface HorizontalPodAutoscalerSpec {
  behavior?: HorizontalPodAutoscalerBehavior | undefined;
  maxReplicas: number;
  metrics?: MetricSpec[] | undefined;
  minReplicas?: number | undefined;
  scaleTargetRef: CrossVersionObjectReference;
}

export interface HorizontalPodAutoscalerStatus {
  conditions?: HorizontalPodAutoscalerCondition[] | undefined;
  currentMetrics?: MetricStatus[] | undefined;
  currentReplicas?: number | undefined;
  desiredReplicas: number;
  lastScaleTime?: string | undefined;
  observedGeneration?: number | undefined;
}

export interface MetricIdentifier {
  name: string;
  selector?: LabelSelector | undefined;
}

export interface MetricSpec {
  containerResource?: ContainerResourceMetricSource | undefined;
  external?: ExternalMetricSource | undefined;
  object?: ObjectMetricSource | undefined;
  pods?: PodsMetricSource | undefined;
  resource?: ResourceMetricSource | undefined;
  type: string;
}

export interface MetricStatus {
  containerResource?: ContainerResourceMetricStatus | undefined;
  external?: ExternalMetricStatus | undefined;
  object?: ObjectMetricStatus | undefined;
  pods?: PodsMetricStatus | undefined;
  resource?: ResourceMetricStatus | undefined;
  type: string;
}

export interface MetricTarget {
  averageUtilization?: number | undefined;
  averageValue?: string | number | undefined;
  type: string;
  value?: string | number | undefined;
}

export interface MetricValueStatus {
  averageUtilization?: number | undefined;
  averageValue?: string | number | undefined;
  value?: string | number | undefined;
}

export interface ObjectMetricSource {
  describedObject: CrossVersionObjectReference;
  metric: MetricIdentifier;
  target: MetricTarget;
}

export interface ObjectMetricStatus {
  current: MetricValueStatus;
  describedObject: CrossVersionObjectReference;
  metric: MetricIdentifier;
}

export interface PodsMetricSource {
  metric: MetricIdentifier;
  target: MetricTarget;
}

export interface PodsMetricStatus {
  current: MetricValueStatus;
  metric: MetricIdentifier;
}

export interface ResourceMetricSource {
  name: string;
  target: MetricTarget;
}

export interface ResourceMetricStatus {
  current: MetricValueStatus;
  name: string;
}
