// Written by tools/api-data from Kubernetes v1.36.4. Do not edit.
import { defineKind, type Kind, type ReadMeta } from "../../definition/index.js";
import type { Condition, LabelSelector } from "../meta/v1.gen.js";

export interface ApplyConfiguration {
  expression?: string | undefined;
}

export interface AuditAnnotation {
  key: string;
  valueExpression: string;
}

export interface ExpressionWarning {
  fieldRef: string;
  warning: string;
}

export interface JSONPatch {
  expression?: string | undefined;
}

export interface MatchCondition {
  expression: string;
  name: string;
}

export interface MatchResources {
  excludeResourceRules?: NamedRuleWithOperations[] | undefined;
  matchPolicy?: "Equivalent" | "Exact" | undefined;
  namespaceSelector?: LabelSelector | undefined;
  objectSelector?: LabelSelector | undefined;
  resourceRules?: NamedRuleWithOperations[] | undefined;
}

/** An object of kind MutatingAdmissionPolicy in admissionregistration.k8s.io/v1. */
export interface MutatingAdmissionPolicy {
  apiVersion: "admissionregistration.k8s.io/v1";
  kind: "MutatingAdmissionPolicy";
  metadata: ReadMeta;
  spec: MutatingAdmissionPolicySpec;
}
interface MutatingAdmissionPolicyTypes { read: MutatingAdmissionPolicy; write: { spec?: MutatingAdmissionPolicySpec | undefined; }; status: never; conditions: never }
/** The kind MutatingAdmissionPolicy in admissionregistration.k8s.io/v1. */
export const MutatingAdmissionPolicy: Kind<"admissionregistration.k8s.io/v1/MutatingAdmissionPolicy", "Cluster", MutatingAdmissionPolicyTypes> = /* @__PURE__ */ defineKind({ group: "admissionregistration.k8s.io", version: "v1", kind: "MutatingAdmissionPolicy", plural: "mutatingadmissionpolicies", scope: "Cluster" });

/** An object of kind MutatingAdmissionPolicyBinding in admissionregistration.k8s.io/v1. */
export interface MutatingAdmissionPolicyBinding {
  apiVersion: "admissionregistration.k8s.io/v1";
  kind: "MutatingAdmissionPolicyBinding";
  metadata: ReadMeta;
  spec: MutatingAdmissionPolicyBindingSpec;
}
interface MutatingAdmissionPolicyBindingTypes { read: MutatingAdmissionPolicyBinding; write: { spec?: MutatingAdmissionPolicyBindingSpec | undefined; }; status: never; conditions: never }
/** The kind MutatingAdmissionPolicyBinding in admissionregistration.k8s.io/v1. */
export const MutatingAdmissionPolicyBinding: Kind<"admissionregistration.k8s.io/v1/MutatingAdmissionPolicyBinding", "Cluster", MutatingAdmissionPolicyBindingTypes> = /* @__PURE__ */ defineKind({ group: "admissionregistration.k8s.io", version: "v1", kind: "MutatingAdmissionPolicyBinding", plural: "mutatingadmissionpolicybindings", scope: "Cluster" });

export interface MutatingAdmissionPolicyBindingSpec {
  matchResources?: MatchResources | undefined;
  paramRef?: ParamRef | undefined;
  policyName?: string | undefined;
}

export interface MutatingAdmissionPolicySpec {
  failurePolicy?: "Fail" | "Ignore" | undefined;
  matchConditions?: MatchCondition[] | undefined;
  matchConstraints?: MatchResources | undefined;
  mutations?: Mutation[] | undefined;
  paramKind?: ParamKind | undefined;
  reinvocationPolicy?: "IfNeeded" | "Never" | undefined;
  variables?: Variable[] | undefined;
}

export interface MutatingWebhook {
  admissionReviewVersions: string[];
  clientConfig: WebhookClientConfig;
  failurePolicy?: "Fail" | "Ignore" | undefined;
  matchConditions?: MatchCondition[] | undefined;
  matchPolicy?: "Equivalent" | "Exact" | undefined;
  name: string;
  namespaceSelector?: LabelSelector | undefined;
  objectSelector?: LabelSelector | undefined;
  reinvocationPolicy?: "IfNeeded" | "Never" | undefined;
  rules?: RuleWithOperations[] | undefined;
  sideEffects: "None" | "NoneOnDryRun" | "Some" | "Unknown";
  timeoutSeconds?: number | undefined;
}

/** An object of kind MutatingWebhookConfiguration in admissionregistration.k8s.io/v1. */
export interface MutatingWebhookConfiguration {
  apiVersion: "admissionregistration.k8s.io/v1";
  kind: "MutatingWebhookConfiguration";
  metadata: ReadMeta;
  webhooks?: MutatingWebhook[] | undefined;
}
interface MutatingWebhookConfigurationTypes { read: MutatingWebhookConfiguration; write: { webhooks?: MutatingWebhook[] | undefined; }; status: never; conditions: never }
/** The kind MutatingWebhookConfiguration in admissionregistration.k8s.io/v1. */
export const MutatingWebhookConfiguration: Kind<"admissionregistration.k8s.io/v1/MutatingWebhookConfiguration", "Cluster", MutatingWebhookConfigurationTypes> = /* @__PURE__ */ defineKind({ group: "admissionregistration.k8s.io", version: "v1", kind: "MutatingWebhookConfiguration", plural: "mutatingwebhookconfigurations", scope: "Cluster" });

export interface Mutation {
  applyConfiguration?: ApplyConfiguration | undefined;
  jsonPatch?: JSONPatch | undefined;
  patchType: "ApplyConfiguration" | "JSONPatch";
}

export interface NamedRuleWithOperations {
  apiGroups?: string[] | undefined;
  apiVersions?: string[] | undefined;
  operations?: ("*" | "CONNECT" | "CREATE" | "DELETE" | "UPDATE")[] | undefined;
  resourceNames?: string[] | undefined;
  resources?: string[] | undefined;
  scope?: "*" | "Cluster" | "Namespaced" | undefined;
}

export interface ParamKind {
  apiVersion?: string | undefined;
  kind?: string | undefined;
}

export interface ParamRef {
  name?: string | undefined;
  namespace?: string | undefined;
  parameterNotFoundAction?: string | undefined;
  selector?: LabelSelector | undefined;
}

export interface RuleWithOperations {
  apiGroups?: string[] | undefined;
  apiVersions?: string[] | undefined;
  operations?: ("*" | "CONNECT" | "CREATE" | "DELETE" | "UPDATE")[] | undefined;
  resources?: string[] | undefined;
  scope?: "*" | "Cluster" | "Namespaced" | undefined;
}

export interface ServiceReference {
  name: string;
  namespace: string;
  path?: string | undefined;
  port?: number | undefined;
}

export interface TypeChecking {
  expressionWarnings?: ExpressionWarning[] | undefined;
}

/** An object of kind ValidatingAdmissionPolicy in admissionregistration.k8s.io/v1. */
export interface ValidatingAdmissionPolicy {
  apiVersion: "admissionregistration.k8s.io/v1";
  kind: "ValidatingAdmissionPolicy";
  metadata: ReadMeta;
  spec: ValidatingAdmissionPolicySpec;
  status?: ValidatingAdmissionPolicyStatus;
}
interface ValidatingAdmissionPolicyTypes { read: ValidatingAdmissionPolicy; write: { spec?: ValidatingAdmissionPolicySpec | undefined; }; status: ValidatingAdmissionPolicyStatus; conditions: never }
/** The kind ValidatingAdmissionPolicy in admissionregistration.k8s.io/v1. */
export const ValidatingAdmissionPolicy: Kind<"admissionregistration.k8s.io/v1/ValidatingAdmissionPolicy", "Cluster", ValidatingAdmissionPolicyTypes> = /* @__PURE__ */ defineKind({ group: "admissionregistration.k8s.io", version: "v1", kind: "ValidatingAdmissionPolicy", plural: "validatingadmissionpolicies", scope: "Cluster" });

/** An object of kind ValidatingAdmissionPolicyBinding in admissionregistration.k8s.io/v1. */
export interface ValidatingAdmissionPolicyBinding {
  apiVersion: "admissionregistration.k8s.io/v1";
  kind: "ValidatingAdmissionPolicyBinding";
  metadata: ReadMeta;
  spec: ValidatingAdmissionPolicyBindingSpec;
}
interface ValidatingAdmissionPolicyBindingTypes { read: ValidatingAdmissionPolicyBinding; write: { spec: ValidatingAdmissionPolicyBindingSpec; }; status: never; conditions: never }
/** The kind ValidatingAdmissionPolicyBinding in admissionregistration.k8s.io/v1. */
export const ValidatingAdmissionPolicyBinding: Kind<"admissionregistration.k8s.io/v1/ValidatingAdmissionPolicyBinding", "Cluster", ValidatingAdmissionPolicyBindingTypes> = /* @__PURE__ */ defineKind({ group: "admissionregistration.k8s.io", version: "v1", kind: "ValidatingAdmissionPolicyBinding", plural: "validatingadmissionpolicybindings", scope: "Cluster" });

export interface ValidatingAdmissionPolicyBindingSpec {
  matchResources?: MatchResources | undefined;
  paramRef?: ParamRef | undefined;
  policyName: string;
  validationActions: ("Audit" | "Deny" | "Warn")[];
}

export interface ValidatingAdmissionPolicySpec {
  auditAnnotations?: AuditAnnotation[] | undefined;
  failurePolicy?: "Fail" | "Ignore" | undefined;
  matchConditions?: MatchCondition[] | undefined;
  matchConstraints?: MatchResources | undefined;
  paramKind?: ParamKind | undefined;
  validations?: Validation[] | undefined;
  variables?: Variable[] | undefined;
}

export interface ValidatingAdmissionPolicyStatus {
  conditions?: Condition[] | undefined;
  observedGeneration?: number | undefined;
  typeChecking?: TypeChecking | undefined;
}

export interface ValidatingWebhook {
  admissionReviewVersions: string[];
  clientConfig: WebhookClientConfig;
  failurePolicy?: "Fail" | "Ignore" | undefined;
  matchConditions?: MatchCondition[] | undefined;
  matchPolicy?: "Equivalent" | "Exact" | undefined;
  name: string;
  namespaceSelector?: LabelSelector | undefined;
  objectSelector?: LabelSelector | undefined;
  rules?: RuleWithOperations[] | undefined;
  sideEffects: "None" | "NoneOnDryRun" | "Some" | "Unknown";
  timeoutSeconds?: number | undefined;
}

/** An object of kind ValidatingWebhookConfiguration in admissionregistration.k8s.io/v1. */
export interface ValidatingWebhookConfiguration {
  apiVersion: "admissionregistration.k8s.io/v1";
  kind: "ValidatingWebhookConfiguration";
  metadata: ReadMeta;
  webhooks?: ValidatingWebhook[] | undefined;
}
interface ValidatingWebhookConfigurationTypes { read: ValidatingWebhookConfiguration; write: { webhooks?: ValidatingWebhook[] | undefined; }; status: never; conditions: never }
/** The kind ValidatingWebhookConfiguration in admissionregistration.k8s.io/v1. */
export const ValidatingWebhookConfiguration: Kind<"admissionregistration.k8s.io/v1/ValidatingWebhookConfiguration", "Cluster", ValidatingWebhookConfigurationTypes> = /* @__PURE__ */ defineKind({ group: "admissionregistration.k8s.io", version: "v1", kind: "ValidatingWebhookConfiguration", plural: "validatingwebhookconfigurations", scope: "Cluster" });

export interface Validation {
  expression: string;
  message?: string | undefined;
  messageExpression?: string | undefined;
  reason?: string | undefined;
}

export interface Variable {
  expression: string;
  name: string;
}

export interface WebhookClientConfig {
  caBundle?: string | undefined;
  service?: ServiceReference | undefined;
  url?: string | undefined;
}
