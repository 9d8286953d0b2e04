// Written by tools/api-data from Kubernetes v1.36.4. Do not edit.
import { defineKind, type Kind, type ReadMeta } from "../../definition/index.js";

/** An object of kind Lease in coordination.k8s.io/v1. */
export interface Lease {
  apiVersion: "coordination.k8s.io/v1";
  kind: "Lease";
  metadata: ReadMeta;
  spec: LeaseSpec;
}
interface LeaseTypes { read: Lease; write: { spec?: LeaseSpec | undefined; }; status: never; conditions: never }
/** The kind Lease in coordination.k8s.io/v1. */
export const Lease: Kind<"coordination.k8s.io/v1/Lease", "Namespaced", LeaseTypes> = /* @__PURE__ */ defineKind({ group: "coordination.k8s.io", version: "v1", kind: "Lease", plural: "leases", scope: "Namespaced" });

export interface LeaseSpec {
  acquireTime?: string | undefined;
  holderIdentity?: string | undefined;
  leaseDurationSeconds?: number | undefined;
  leaseTransitions?: number | undefined;
  preferredHolder?: string | undefined;
  renewTime?: string | undefined;
  strategy?: string | undefined;
}
