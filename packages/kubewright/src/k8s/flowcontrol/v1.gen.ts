// Written by tools/api-data from Kubernetes v1.36.4. Do not edit.
import { defineKind, type Kind, type ReadMeta } from "../../definition/index.js";

export interface ExemptPriorityLevelConfiguration {
  lendablePercent?: number | undefined;
  nominalConcurrencyShares?: number | undefined;
}

export interface FlowDistinguisherMethod {
  type: string;
}

/** An object of kind FlowSchema in flowcontrol.apiserver.k8s.io/v1. */
export interface FlowSchema {
  apiVersion: "flowcontrol.apiserver.k8s.io/v1";
  kind: "FlowSchema";
  metadata: ReadMeta;
  spec: FlowSchemaSpec;
  status?: FlowSchemaStatus;
}
interface FlowSchemaTypes { read: FlowSchema; write: { spec: FlowSchemaSpec; }; status: FlowSchemaStatus; conditions: never }
/** The kind FlowSchema in flowcontrol.apiserver.k8s.io/v1. */
export const FlowSchema: Kind<"flowcontrol.apiserver.k8s.io/v1/FlowSchema", "Cluster", FlowSchemaTypes> = /* @__PURE__ */ defineKind({ group: "flowcontrol.apiserver.k8s.io", version: "v1", kind: "FlowSchema", plural: "flowschemas", scope: "Cluster" });

export interface FlowSchemaCondition {
  lastTransitionTime?: string | undefined;
  message?: string | undefined;
  reason?: string | undefined;
  status?: string | undefined;
  type?: string | undefined;
}

export interface FlowSchemaSpec {
  distinguisherMethod?: FlowDistinguisherMethod | undefined;
  matchingPrecedence?: number | undefined;
  priorityLevelConfiguration: PriorityLevelConfigurationReference;
  rules?: PolicyRulesWithSubjects[] | undefined;
}

export interface FlowSchemaStatus {
  conditions?: FlowSchemaCondition[] | undefined;
}

export interface GroupSubject {
  name: string;
}

export interface LimitResponse {
  queuing?: QueuingConfiguration | undefined;
  type: string;
}

export interface LimitedPriorityLevelConfiguration {
  borrowingLimitPercent?: number | undefined;
  lendablePercent?: number | undefined;
  limitResponse?: LimitResponse | undefined;
  nominalConcurrencyShares?: number | undefined;
}

export interface NonResourcePolicyRule {
  nonResourceURLs: string[];
  verbs: string[];
}

export interface PolicyRulesWithSubjects {
  nonResourceRules?: NonResourcePolicyRule[] | undefined;
  resourceRules?: ResourcePolicyRule[] | undefined;
  subjects: Subject[];
}

/** An object of kind PriorityLevelConfiguration in flowcontrol.apiserver.k8s.io/v1. */
export interface PriorityLevelConfiguration {
  apiVersion: "flowcontrol.apiserver.k8s.io/v1";
  kind: "PriorityLevelConfiguration";
  metadata: ReadMeta;
  spec: PriorityLevelConfigurationSpec;
  status?: PriorityLevelConfigurationStatus;
}
interface PriorityLevelConfigurationTypes { read: PriorityLevelConfiguration; write: { spec: PriorityLevelConfigurationSpec; }; status: PriorityLevelConfigurationStatus; conditions: never }
/** The kind PriorityLevelConfiguration in flowcontrol.apiserver.k8s.io/v1. */
export const PriorityLevelConfiguration: Kind<"flowcontrol.apiserver.k8s.io/v1/PriorityLevelConfiguration", "Cluster", PriorityLevelConfigurationTypes> = /* @__PURE__ */ defineKind({ group: "flowcontrol.apiserver.k8s.io", version: "v1", kind: "PriorityLevelConfiguration", plural: "prioritylevelconfigurations", scope: "Cluster" });

export interface PriorityLevelConfigurationCondition {
  lastTransitionTime?: string | undefined;
  message?: string | undefined;
  reason?: string | undefined;
  status?: string | undefined;
  type?: string | undefined;
}

export interface PriorityLevelConfigurationReference {
  name: string;
}

export interface PriorityLevelConfigurationSpec {
  exempt?: ExemptPriorityLevelConfiguration | undefined;
  limited?: LimitedPriorityLevelConfiguration | undefined;
  type: string;
}

export interface PriorityLevelConfigurationStatus {
  conditions?: PriorityLevelConfigurationCondition[] | undefined;
}

export interface QueuingConfiguration {
  handSize?: number | undefined;
  queueLengthLimit?: number | undefined;
  queues?: number | undefined;
}

export interface ResourcePolicyRule {
  apiGroups: string[];
  clusterScope?: boolean | undefined;
  namespaces?: string[] | undefined;
  resources: string[];
  verbs: string[];
}

export interface ServiceAccountSubject {
  name: string;
  namespace: string;
}

export interface Subject {
  group?: GroupSubject | undefined;
  kind: string;
  serviceAccount?: ServiceAccountSubject | undefined;
  user?: UserSubject | undefined;
}

export interface UserSubject {
  name: string;
}
