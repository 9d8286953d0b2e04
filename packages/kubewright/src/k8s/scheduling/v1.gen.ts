// Written by tools/api-data from Kubernetes v1.36.4. Do not edit.
import { defineKind, type Kind, type ReadMeta } from "../../definition/index.js";

/** An object of kind PriorityClass in scheduling.k8s.io/v1. */
export interface PriorityClass {
  apiVersion: "scheduling.k8s.io/v1";
  kind: "PriorityClass";
  metadata: ReadMeta;
  description?: string | undefined;
  globalDefault?: boolean | undefined;
  preemptionPolicy?: "Never" | "PreemptLowerPriority" | undefined;
  value?: number | undefined;
}
interface PriorityClassTypes { read: PriorityClass; write: { description?: string | undefined; globalDefault?: boolean | undefined; preemptionPolicy?: "Never" | "PreemptLowerPriority" | undefined; value?: number | undefined; }; status: never; conditions: never }
/** The kind PriorityClass in scheduling.k8s.io/v1. */
export const PriorityClass: Kind<"scheduling.k8s.io/v1/PriorityClass", "Cluster", PriorityClassTypes> = /* @__PURE__ */ defineKind({ group: "scheduling.k8s.io", version: "v1", kind: "PriorityClass", plural: "priorityclasses", scope: "Cluster" });
