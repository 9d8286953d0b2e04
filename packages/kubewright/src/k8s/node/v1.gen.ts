// Written by tools/api-data from Kubernetes v1.36.4. Do not edit.
import { defineKind, type Kind, type ReadMeta } from "../../definition/index.js";
import type { Toleration } from "../core/v1.gen.js";

export interface Overhead {
  podFixed?: Record<string, string | number> | undefined;
}

/** An object of kind RuntimeClass in node.k8s.io/v1. */
export interface RuntimeClass {
  apiVersion: "node.k8s.io/v1";
  kind: "RuntimeClass";
  metadata: ReadMeta;
  handler: string;
  overhead?: Overhead | undefined;
  scheduling?: Scheduling | undefined;
}
interface RuntimeClassTypes { read: RuntimeClass; write: { handler: string; overhead?: Overhead | undefined; scheduling?: Scheduling | undefined; }; status: never; conditions: never }
/** The kind RuntimeClass in node.k8s.io/v1. */
export const RuntimeClass: Kind<"node.k8s.io/v1/RuntimeClass", "Cluster", RuntimeClassTypes> = /* @__PURE__ */ defineKind({ group: "node.k8s.io", version: "v1", kind: "RuntimeClass", plural: "runtimeclasses", scope: "Cluster" });

export interface Scheduling {
  nodeSelector?: Record<string, string> | undefined;
  tolerations?: Toleration[] | undefined;
}
