// Written by tools/api-data from Kubernetes v1.36.4. Do not edit.
import { defineKind, type Kind, type ReadMeta } from "../../definition/index.js";
import type { LabelSelector } from "../meta/v1.gen.js";

export interface AggregationRule {
  clusterRoleSelectors?: LabelSelector[] | undefined;
}

/** An object of kind ClusterRole in rbac.authorization.k8s.io/v1. */
export interface ClusterRole {
  apiVersion: "rbac.authorization.k8s.io/v1";
  kind: "ClusterRole";
  metadata: ReadMeta;
  aggregationRule?: AggregationRule | undefined;
  rules?: PolicyRule[] | undefined;
}
interface ClusterRoleTypes { read: ClusterRole; write: { aggregationRule?: AggregationRule | undefined; rules?: PolicyRule[] | undefined; }; status: never; conditions: never }
/** The kind ClusterRole in rbac.authorization.k8s.io/v1. */
export const ClusterRole: Kind<"rbac.authorization.k8s.io/v1/ClusterRole", "Cluster", ClusterRoleTypes> = /* @__PURE__ */ defineKind({ group: "rbac.authorization.k8s.io", version: "v1", kind: "ClusterRole", plural: "clusterroles", scope: "Cluster" });

/** An object of kind ClusterRoleBinding in rbac.authorization.k8s.io/v1. */
export interface ClusterRoleBinding {
  apiVersion: "rbac.authorization.k8s.io/v1";
  kind: "ClusterRoleBinding";
  metadata: ReadMeta;
  roleRef: RoleRef;
  subjects?: Subject[] | undefined;
}
interface ClusterRoleBindingTypes { read: ClusterRoleBinding; write: { roleRef: RoleRef; subjects?: Subject[] | undefined; }; status: never; conditions: never }
/** The kind ClusterRoleBinding in rbac.authorization.k8s.io/v1. */
export const ClusterRoleBinding: Kind<"rbac.authorization.k8s.io/v1/ClusterRoleBinding", "Cluster", ClusterRoleBindingTypes> = /* @__PURE__ */ defineKind({ group: "rbac.authorization.k8s.io", version: "v1", kind: "ClusterRoleBinding", plural: "clusterrolebindings", scope: "Cluster" });

export interface PolicyRule {
  apiGroups?: string[] | undefined;
  nonResourceURLs?: string[] | undefined;
  resourceNames?: string[] | undefined;
  resources?: string[] | undefined;
  verbs: string[];
}

/** An object of kind Role in rbac.authorization.k8s.io/v1. */
export interface Role {
  apiVersion: "rbac.authorization.k8s.io/v1";
  kind: "Role";
  metadata: ReadMeta;
  rules?: PolicyRule[] | undefined;
}
interface RoleTypes { read: Role; write: { rules?: PolicyRule[] | undefined; }; status: never; conditions: never }
/** The kind Role in rbac.authorization.k8s.io/v1. */
export const Role: Kind<"rbac.authorization.k8s.io/v1/Role", "Namespaced", RoleTypes> = /* @__PURE__ */ defineKind({ group: "rbac.authorization.k8s.io", version: "v1", kind: "Role", plural: "roles", scope: "Namespaced" });

/** An object of kind RoleBinding in rbac.authorization.k8s.io/v1. */
export interface RoleBinding {
  apiVersion: "rbac.authorization.k8s.io/v1";
  kind: "RoleBinding";
  metadata: ReadMeta;
  roleRef: RoleRef;
  subjects?: Subject[] | undefined;
}
interface RoleBindingTypes { read: RoleBinding; write: { roleRef: RoleRef; subjects?: Subject[] | undefined; }; status: never; conditions: never }
/** The kind RoleBinding in rbac.authorization.k8s.io/v1. */
export const RoleBinding: Kind<"rbac.authorization.k8s.io/v1/RoleBinding", "Namespaced", RoleBindingTypes> = /* @__PURE__ */ defineKind({ group: "rbac.authorization.k8s.io", version: "v1", kind: "RoleBinding", plural: "rolebindings", scope: "Namespaced" });

export interface RoleRef {
  apiGroup?: string | undefined;
  kind: string;
  name: string;
}

export interface Subject {
  apiGroup?: string | undefined;
  kind: string;
  name: string;
  namespace?: string | undefined;
}
