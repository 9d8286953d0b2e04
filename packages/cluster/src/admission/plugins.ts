import { certificateSubjectRestriction } from "./certificate-subject-restriction.js";
import { defaultStorageClass } from "./default-storage-class.js";
import { defaultTolerationSeconds } from "./default-toleration-seconds.js";
import { limitRanger } from "./limit-ranger.js";
import { namespaceLifecycle } from "./namespace-lifecycle.js";
import { persistentVolumeClaimResize } from "./persistent-volume-claim-resize.js";
import type { AdmissionPlugin } from "./plugin.js";
import { mutatingPolicies, type PolicyDependencies, validatingPolicies } from "./policies/index.js";
import { priority } from "./priority.js";
import { storageObjectInUseProtection } from "./storage-object-in-use-protection.js";
import { taintNodesByCondition } from "./taint-nodes-by-condition.js";
import { mutatingWebhooks, validatingWebhooks, type WebhookDependencies } from "./webhooks/index.js";

/** Which optional plugins are enabled. */
export interface PluginOptions {
  /** Enables StorageObjectInUseProtection. Without controllers that remove them, its finalizers stay. */
  readonly protectsStorage: boolean;
  /** Enables MutatingAdmissionPolicy and ValidatingAdmissionPolicy. @default policies have no effect */
  readonly policies?: PolicyDependencies;
  /** Enables MutatingAdmissionWebhook and ValidatingAdmissionWebhook. @default webhook configurations have no effect */
  readonly webhooks?: WebhookDependencies;
}

/** The plugins in kube-apiserver's order. ResourceQuota is not among them: it is charged synchronously with the commit. */
export function defaultPlugins({ protectsStorage, policies, webhooks }: PluginOptions): readonly AdmissionPlugin[] {
  return [
    namespaceLifecycle,
    limitRanger,
    taintNodesByCondition,
    priority,
    defaultTolerationSeconds,
    defaultStorageClass,
    ...(protectsStorage ? [storageObjectInUseProtection] : []),
    persistentVolumeClaimResize,
    certificateSubjectRestriction,
    ...(policies ? [mutatingPolicies(policies)] : []),
    ...(webhooks ? [mutatingWebhooks(webhooks)] : []),
    ...(policies ? [validatingPolicies(policies)] : []),
    ...(webhooks ? [validatingWebhooks(webhooks)] : []),
  ];
}
