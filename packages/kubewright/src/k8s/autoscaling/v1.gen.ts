// Written by tools/api-data from Kubernetes v1.36.4. Do not edit.
import { defineKind, type Kind, type ReadMeta } from "../../definition/index.js";
import type { ObjectMeta } from "../meta/v1.gen.js";

export interface CrossVersionObjectReference {
  apiVersion?: string | undefined;
  kind: string;
  name: string;
}

/** An object of kind HorizontalPodAutoscaler in autoscaling/v1. */
export interface HorizontalPodAutoscaler {
  apiVersion: "autoscaling/v1";
  kind: "HorizontalPodAutoscaler";
  metadata: ReadMeta;
  spec: HorizontalPodAutoscalerSpec;
  status?: HorizontalPodAutoscalerStatus;
}
interface HorizontalPodAutoscalerTypes { read: HorizontalPodAutoscaler; write: { spec: HorizontalPodAutoscalerSpec; }; status: HorizontalPodAutoscalerStatus; conditions: never }
/** The kind HorizontalPodAutoscaler in autoscaling/v1. */
export const HorizontalPodAutoscaler: Kind<"autoscaling/v1/HorizontalPodAutoscaler", "Namespaced", HorizontalPodAutoscalerTypes> = /* @__PURE__ */ defineKind({ group: "autoscaling", version: "v1", kind: "HorizontalPodAutoscaler", plural: "horizontalpodautoscalers", scope: "Namespaced" });

export interface HorizontalPodAutoscalerSpec {
  maxReplicas: number;
  minReplicas?: number | undefined;
  scaleTargetRef: CrossVersionObjectReference;
  targetCPUUtilizationPercentage?: number | undefined;
}

export interface HorizontalPodAutoscalerStatus {
  currentCPUUtilizationPercentage?: number | undefined;
  currentReplicas: number;
  desiredReplicas: number;
  lastScaleTime?: string | undefined;
  observedGeneration?: number | undefined;
}

export interface Scale {
  apiVersion?: string | undefined;
  kind?: string | undefined;
  metadata?: ObjectMeta | undefined;
  spec?: ScaleSpec | undefined;
  status?: ScaleStatus | undefined;
}

export interface ScaleSpec {
  replicas?: number | undefined;
}

export interface ScaleStatus {
  replicas: number;
  selector?: string | undefined;
}
