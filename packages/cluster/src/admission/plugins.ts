import { OperatorError } from "@kubewright/core/errors";
import type { Authorizer } from "../access/index.js";
import type { Registry } from "../registry/index.js";
import { alwaysPullImages } from "./always-pull-images.js";
import { certificateApproval, certificateSigning } from "./certificate-authorization.js";
import { certificateSubjectRestriction } from "./certificate-subject-restriction.js";
import { defaultIngressClass } from "./default-ingress-class.js";
import { defaultStorageClass } from "./default-storage-class.js";
import { defaultTolerationSeconds } from "./default-toleration-seconds.js";
import { limitRanger } from "./limit-ranger.js";
import { namespaceLifecycle } from "./namespace-lifecycle.js";
import { nodeDeclaredFeatureValidator } from "./node-declared-feature-validator.js";
import { nodeRestriction } from "./node-restriction/index.js";
import { ownerReferencesPermissionEnforcement } from "./owner-references-permission-enforcement.js";
import { persistentVolumeClaimResize } from "./persistent-volume-claim-resize.js";
import type { AdmissionPlugin } from "./plugin.js";
import { podResizeValidator } from "./pod-resize-validator.js";
import { podSecurity } from "./pod-security/index.js";
import { podTopologyLabels } from "./pod-topology-labels.js";
import { mutatingPolicies, validatingPolicies } from "./policies/index.js";
import { priority } from "./priority.js";
import { resourceQuota } from "./resource-quota.js";
import { runtimeClass } from "./runtime-class.js";
import { type DefaultAccounts, serviceAccounts } from "./service-account/index.js";
import { storageObjectInUseProtection } from "./storage-object-in-use-protection.js";
import { taintNodesByCondition } from "./taint-nodes-by-condition.js";
import { mutatingWebhooks, validatingWebhooks, type WebhookDependencies } from "./webhooks/index.js";

/** Dependencies of the plugins. */
export interface PluginDependencies {
  readonly registry: Registry;
  readonly authorizer: Authorizer;
  /** Waits for a default ServiceAccount that is missing. @default a pod without it is rejected at once */
  readonly defaultAccounts?: DefaultAccounts;
  /** Calls webhooks. @default webhook configurations have no effect */
  readonly caller?: WebhookDependencies["caller"];
}

/** The name of an admission plugin, as in `--enable-admission-plugins`. */
export type AdmissionPluginName =
  | "NamespaceLifecycle"
  | "LimitRanger"
  | "ServiceAccount"
  | "NodeRestriction"
  | "TaintNodesByCondition"
  | "AlwaysPullImages"
  | "PodSecurity"
  | "Priority"
  | "DefaultTolerationSeconds"
  | "DefaultStorageClass"
  | "StorageObjectInUseProtection"
  | "OwnerReferencesPermissionEnforcement"
  | "PersistentVolumeClaimResize"
  | "RuntimeClass"
  | "CertificateApproval"
  | "CertificateSigning"
  | "CertificateSubjectRestriction"
  | "DefaultIngressClass"
  | "PodTopologyLabels"
  | "NodeDeclaredFeatureValidator"
  | "PodResizeValidator"
  | "MutatingAdmissionPolicy"
  | "MutatingAdmissionWebhook"
  | "ValidatingAdmissionPolicy"
  | "ValidatingAdmissionWebhook"
  | "ResourceQuota";

type MakePlugin = (dependencies: PluginDependencies) => AdmissionPlugin | undefined;

/** The plugins in kube-apiserver's order (`AllOrderedPlugins`), and whether it enables them by default. */
const orderedPlugins: Readonly<
  Record<AdmissionPluginName, { readonly isDefault: boolean; readonly make: MakePlugin }>
> = {
  NamespaceLifecycle: { isDefault: true, make: () => namespaceLifecycle },
  LimitRanger: { isDefault: true, make: () => limitRanger },
  ServiceAccount: {
    isDefault: true,
    make: ({ registry: { random }, defaultAccounts }) =>
      serviceAccounts({ random, ...(defaultAccounts && { defaultAccounts }) }),
  },
  NodeRestriction: { isDefault: false, make: ({ authorizer }) => nodeRestriction(authorizer) },
  TaintNodesByCondition: { isDefault: true, make: () => taintNodesByCondition },
  AlwaysPullImages: { isDefault: false, make: () => alwaysPullImages },
  PodSecurity: { isDefault: true, make: () => podSecurity },
  Priority: { isDefault: true, make: () => priority },
  DefaultTolerationSeconds: { isDefault: true, make: () => defaultTolerationSeconds },
  DefaultStorageClass: { isDefault: true, make: () => defaultStorageClass },
  StorageObjectInUseProtection: { isDefault: true, make: () => storageObjectInUseProtection },
  OwnerReferencesPermissionEnforcement: { isDefault: false, make: ownerReferencesPermissionEnforcement },
  PersistentVolumeClaimResize: { isDefault: true, make: () => persistentVolumeClaimResize },
  RuntimeClass: { isDefault: true, make: () => runtimeClass },
  CertificateApproval: { isDefault: true, make: ({ authorizer }) => certificateApproval(authorizer) },
  CertificateSigning: { isDefault: true, make: ({ authorizer }) => certificateSigning(authorizer) },
  CertificateSubjectRestriction: { isDefault: true, make: () => certificateSubjectRestriction },
  DefaultIngressClass: { isDefault: true, make: () => defaultIngressClass },
  PodTopologyLabels: { isDefault: true, make: () => podTopologyLabels },
  NodeDeclaredFeatureValidator: { isDefault: true, make: () => nodeDeclaredFeatureValidator },
  PodResizeValidator: { isDefault: true, make: () => podResizeValidator },
  MutatingAdmissionPolicy: { isDefault: true, make: mutatingPolicies },
  MutatingAdmissionWebhook: {
    isDefault: true,
    make: ({ caller, ...rest }) => caller && mutatingWebhooks({ ...rest, caller }),
  },
  ValidatingAdmissionPolicy: { isDefault: true, make: validatingPolicies },
  ValidatingAdmissionWebhook: {
    isDefault: true,
    make: ({ caller, ...rest }) => caller && validatingWebhooks({ ...rest, caller }),
  },
  ResourceQuota: { isDefault: true, make: ({ registry }) => resourceQuota(registry) },
};

const pluginNames = Object.keys(orderedPlugins) as AdmissionPluginName[];

/** Which plugins are enabled. */
export interface PluginSelection {
  /** Plugins to enable besides those that kube-apiserver enables by default. @default none */
  readonly enable?: readonly AdmissionPluginName[];
  /** Plugins to disable. @default none */
  readonly disable?: readonly AdmissionPluginName[];
}

/** The enabled plugins, in kube-apiserver's order. Throws CONFIG_INVALID for an unknown name, and for one that is both enabled and disabled. */
export function admissionPlugins(
  dependencies: PluginDependencies,
  { enable = [], disable = [] }: PluginSelection = {},
): readonly AdmissionPlugin[] {
  checkNames(enable, disable);
  return pluginNames
    .filter((name) => !disable.includes(name) && (orderedPlugins[name].isDefault || enable.includes(name)))
    .map((name) => orderedPlugins[name].make(dependencies))
    .filter((plugin) => plugin !== undefined);
}

function checkNames(enable: readonly string[], disable: readonly string[]): void {
  const unknown = [...enable, ...disable].find((name) => !Object.hasOwn(orderedPlugins, name));
  if (unknown !== undefined)
    throw new OperatorError(
      "CONFIG_INVALID",
      `Cannot use the admission plugin "${unknown}": there is none of that name; the plugins are ${pluginNames.join(", ")}`,
    );
  const both = enable.find((name) => disable.includes(name));
  if (both !== undefined)
    throw new OperatorError("CONFIG_INVALID", `Cannot use the admission plugin "${both}": it is enabled and disabled`);
}
