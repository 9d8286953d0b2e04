// Written by tools/api-data from Kubernetes v1.36.4. Do not edit.
import { defineKind, type Kind, type ReadMeta } from "../../definition/index.js";

/** An object of kind APIService in apiregistration.k8s.io/v1. */
export interface APIService {
  apiVersion: "apiregistration.k8s.io/v1";
  kind: "APIService";
  metadata: ReadMeta;
  spec: APIServiceSpec;
  status?: APIServiceStatus;
}
interface APIServiceTypes { read: APIService; write: { spec: APIServiceSpec; }; status: APIServiceStatus; conditions: never }
/** The kind APIService in apiregistration.k8s.io/v1. */
export const APIService: Kind<"apiregistration.k8s.io/v1/APIService", "Cluster", APIServiceTypes> = /* @__PURE__ */ defineKind({ group: "apiregistration.k8s.io", version: "v1", kind: "APIService", plural: "apiservices", scope: "Cluster" });

export interface APIServiceCondition {
  lastTransitionTime?: string | undefined;
  message?: string | undefined;
  reason?: string | undefined;
  status: string;
  type: string;
}

export interface APIServiceSpec {
  caBundle?: string | undefined;
  group?: string | undefined;
  groupPriorityMinimum: number;
  insecureSkipTLSVerify?: boolean | undefined;
  service?: ServiceReference | undefined;
  version?: string | undefined;
  versionPriority: number;
}

export interface APIServiceStatus {
  conditions?: APIServiceCondition[] | undefined;
}

export interface ServiceReference {
  name?: string | undefined;
  namespace?: string | undefined;
  port?: number | undefined;
}
