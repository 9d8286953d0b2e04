// Written by tools/api-data from Kubernetes v1.36.4. Do not edit.
import { defineKind, type Kind, type ReadMeta } from "../../definition/index.js";
import type { FieldSelectorRequirement, LabelSelectorRequirement } from "../meta/v1.gen.js";

export interface FieldSelectorAttributes {
  rawSelector?: string | undefined;
  requirements?: FieldSelectorRequirement[] | undefined;
}

export interface LabelSelectorAttributes {
  rawSelector?: string | undefined;
  requirements?: LabelSelectorRequirement[] | undefined;
}

/** An object of kind LocalSubjectAccessReview in authorization.k8s.io/v1. */
export interface LocalSubjectAccessReview {
  apiVersion: "authorization.k8s.io/v1";
  kind: "LocalSubjectAccessReview";
  metadata: ReadMeta;
  spec: SubjectAccessReviewSpec;
  status?: SubjectAccessReviewStatus;
}
interface LocalSubjectAccessReviewTypes { read: LocalSubjectAccessReview; write: { spec: SubjectAccessReviewSpec; }; status: SubjectAccessReviewStatus; conditions: never }
/** The kind LocalSubjectAccessReview in authorization.k8s.io/v1. */
export const LocalSubjectAccessReview: Kind<"authorization.k8s.io/v1/LocalSubjectAccessReview", "Namespaced", LocalSubjectAccessReviewTypes> = /* @__PURE__ */ defineKind({ group: "authorization.k8s.io", version: "v1", kind: "LocalSubjectAccessReview", plural: "localsubjectaccessreviews", scope: "Namespaced" });

export interface NonResourceAttributes {
  path?: string | undefined;
  verb?: string | undefined;
}

export interface NonResourceRule {
  nonResourceURLs?: string[] | undefined;
  verbs: string[];
}

export interface ResourceAttributes {
  fieldSelector?: FieldSelectorAttributes | undefined;
  group?: string | undefined;
  labelSelector?: LabelSelectorAttributes | undefined;
  name?: string | undefined;
  namespace?: string | undefined;
  resource?: string | undefined;
  subresource?: string | undefined;
  verb?: string | undefined;
  version?: string | undefined;
}

export interface ResourceRule {
  apiGroups?: string[] | undefined;
  resourceNames?: string[] | undefined;
  resources?: string[] | undefined;
  verbs: string[];
}

/** An object of kind SelfSubjectAccessReview in authorization.k8s.io/v1. */
export interface SelfSubjectAccessReview {
  apiVersion: "authorization.k8s.io/v1";
  kind: "SelfSubjectAccessReview";
  metadata: ReadMeta;
  spec: SelfSubjectAccessReviewSpec;
  status?: SubjectAccessReviewStatus;
}
interface SelfSubjectAccessReviewTypes { read: SelfSubjectAccessReview; write: { spec: SelfSubjectAccessReviewSpec; }; status: SubjectAccessReviewStatus; conditions: never }
/** The kind SelfSubjectAccessReview in authorization.k8s.io/v1. */
export const SelfSubjectAccessReview: Kind<"authorization.k8s.io/v1/SelfSubjectAccessReview", "Cluster", SelfSubjectAccessReviewTypes> = /* @__PURE__ */ defineKind({ group: "authorization.k8s.io", version: "v1", kind: "SelfSubjectAccessReview", plural: "selfsubjectaccessreviews", scope: "Cluster" });

export interface SelfSubjectAccessReviewSpec {
  nonResourceAttributes?: NonResourceAttributes | undefined;
  resourceAttributes?: ResourceAttributes | undefined;
}

/** An object of kind SelfSubjectRulesReview in authorization.k8s.io/v1. */
export interface SelfSubjectRulesReview {
  apiVersion: "authorization.k8s.io/v1";
  kind: "SelfSubjectRulesReview";
  metadata: ReadMeta;
  spec: SelfSubjectRulesReviewSpec;
  status?: SubjectRulesReviewStatus;
}
interface SelfSubjectRulesReviewTypes { read: SelfSubjectRulesReview; write: { spec: SelfSubjectRulesReviewSpec; }; status: SubjectRulesReviewStatus; conditions: never }
/** The kind SelfSubjectRulesReview in authorization.k8s.io/v1. */
export const SelfSubjectRulesReview: Kind<"authorization.k8s.io/v1/SelfSubjectRulesReview", "Cluster", SelfSubjectRulesReviewTypes> = /* @__PURE__ */ defineKind({ group: "authorization.k8s.io", version: "v1", kind: "SelfSubjectRulesReview", plural: "selfsubjectrulesreviews", scope: "Cluster" });

export interface SelfSubjectRulesReviewSpec {
  namespace?: string | undefined;
}

/** An object of kind SubjectAccessReview in authorization.k8s.io/v1. */
export interface SubjectAccessReview {
  apiVersion: "authorization.k8s.io/v1";
  kind: "SubjectAccessReview";
  metadata: ReadMeta;
  spec: SubjectAccessReviewSpec;
  status?: SubjectAccessReviewStatus;
}
interface SubjectAccessReviewTypes { read: SubjectAccessReview; write: { spec: SubjectAccessReviewSpec; }; status: SubjectAccessReviewStatus; conditions: never }
/** The kind SubjectAccessReview in authorization.k8s.io/v1. */
export const SubjectAccessReview: Kind<"authorization.k8s.io/v1/SubjectAccessReview", "Cluster", SubjectAccessReviewTypes> = /* @__PURE__ */ defineKind({ group: "authorization.k8s.io", version: "v1", kind: "SubjectAccessReview", plural: "subjectaccessreviews", scope: "Cluster" });

export interface SubjectAccessReviewSpec {
  extra?: Record<string, string[]> | undefined;
  groups?: string[] | undefined;
  nonResourceAttributes?: NonResourceAttributes | undefined;
  resourceAttributes?: ResourceAttributes | undefined;
  uid?: string | undefined;
  user?: string | undefined;
}

export interface SubjectAccessReviewStatus {
  allowed: boolean;
  denied?: boolean | undefined;
  evaluationError?: string | undefined;
  reason?: string | undefined;
}

export interface SubjectRulesReviewStatus {
  evaluationError?: string | undefined;
  incomplete: boolean;
  nonResourceRules: NonResourceRule[];
  resourceRules: ResourceRule[];
}
