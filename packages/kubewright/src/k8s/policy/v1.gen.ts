// Written by tools/api-data from Kubernetes v1.36.4. Do not edit.
import { defineKind, type Kind, type ReadMeta } from "../../definition/index.js";
import type { Condition, DeleteOptions, LabelSelector, ObjectMeta } from "../meta/v1.gen.js";

export interface Eviction {
  apiVersion?: string | undefined;
  deleteOptions?: DeleteOptions | undefined;
  kind?: string | undefined;
  metadata?: ObjectMeta | undefined;
}

/** An object of kind PodDisruptionBudget in policy/v1. */
export interface PodDisruptionBudget {
  apiVersion: "policy/v1";
  kind: "PodDisruptionBudget";
  metadata: ReadMeta;
  spec: PodDisruptionBudgetSpec;
  status?: PodDisruptionBudgetStatus;
}
interface PodDisruptionBudgetTypes { read: PodDisruptionBudget; write: { spec?: PodDisruptionBudgetSpec | undefined; }; status: PodDisruptionBudgetStatus; conditions: never }
/** The kind PodDisruptionBudget in policy/v1. */
export const PodDisruptionBudget: Kind<"policy/v1/PodDisruptionBudget", "Namespaced", PodDisruptionBudgetTypes> = /* @__PURE__ */ defineKind({ group: "policy", version: "v1", kind: "PodDisruptionBudget", plural: "poddisruptionbudgets", scope: "Namespaced" });

export interface PodDisruptionBudgetSpec {
  maxUnavailable?: number | string | undefined;
  minAvailable?: number | string | undefined;
  selector?: LabelSelector | undefined;
  unhealthyPodEvictionPolicy?: "AlwaysAllow" | "IfHealthyBudget" | undefined;
}

export interface PodDisruptionBudgetStatus {
  conditions?: Condition[] | undefined;
  currentHealthy?: number | undefined;
  desiredHealthy?: number | undefined;
  disruptedPods?: Record<string, string> | undefined;
  disruptionsAllowed?: number | undefined;
  expectedPods?: number | undefined;
  observedGeneration?: number | undefined;
}
