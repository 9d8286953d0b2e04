// Written by tools/api-data from Kubernetes v1.36.4. Do not edit.

export interface Condition {
  lastTransitionTime: string;
  message: string;
  observedGeneration?: number | undefined;
  reason: string;
  status: string;
  type: string;
}

export interface DeleteOptions {
  apiVersion?: string | undefined;
  dryRun?: string[] | undefined;
  gracePeriodSeconds?: number | undefined;
  ignoreStoreReadErrorWithClusterBreakingPotential?: boolean | undefined;
  kind?: string | undefined;
  orphanDependents?: boolean | undefined;
  preconditions?: Preconditions | undefined;
  propagationPolicy?: string | undefined;
}

export interface FieldSelectorRequirement {
  key: string;
  operator: string;
  values?: string[] | undefined;
}

export interface LabelSelector {
  matchExpressions?: LabelSelectorRequirement[] | undefined;
  matchLabels?: Record<string, string> | undefined;
}

export interface LabelSelectorRequirement {
  key: string;
  operator: string;
  values?: string[] | undefined;
}

export interface ManagedFieldsEntry {
  apiVersion?: string | undefined;
  fieldsType?: string | undefined;
  fieldsV1?: Record<string, unknown> | undefined;
  manager?: string | undefined;
  operation?: string | undefined;
  subresource?: string | undefined;
  time?: string | undefined;
}

export interface ObjectMeta {
  annotations?: Record<string, string> | undefined;
  creationTimestamp?: string | undefined;
  deletionGracePeriodSeconds?: number | undefined;
  deletionTimestamp?: string | undefined;
  finalizers?: string[] | undefined;
  generateName?: string | undefined;
  generation?: number | undefined;
  labels?: Record<string, string> | undefined;
  managedFields?: ManagedFieldsEntry[] | undefined;
  name?: string | undefined;
  namespace?: string | undefined;
  ownerReferences?: OwnerReference[] | undefined;
  resourceVersion?: string | undefined;
  selfLink?: string | undefined;
  uid?: string | undefined;
}

export interface OwnerReference {
  apiVersion: string;
  blockOwnerDeletion?: boolean | undefined;
  controller?: boolean | undefined;
  kind: string;
  name: string;
  uid: string;
}

export interface Preconditions {
  resourceVersion?: string | undefined;
  uid?: string | undefined;
}
