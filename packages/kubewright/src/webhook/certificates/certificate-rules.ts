import type { PolicyRule } from "../../permissions/index.js";
import type { CertificateTargets } from "./cluster-store.js";

/** The RBAC rules of `manageCertificates`. */
export interface CertificateRules {
  /** For a Role in the namespace of the Secret. */
  readonly role: readonly PolicyRule[];
  /** For a ClusterRole. */
  readonly clusterRole: readonly PolicyRule[];
}

/**
 * The least-privilege RBAC rules of `manageCertificates`: only the named objects.
 *
 * RBAC cannot restrict `create` to a name; an operator that may not create Secrets needs an existing one, which can be empty.
 */
export function certificateRules({
  secretName,
  mutating = [],
  validating = [],
  crds = [],
}: CertificateTargets & { readonly secretName: string }): CertificateRules {
  const patched = (group: string, resource: string, resourceNames: readonly string[]): PolicyRule[] =>
    resourceNames.length === 0
      ? []
      : [{ apiGroups: [group], resources: [resource], resourceNames, verbs: ["get", "list", "patch", "watch"] }];
  return {
    role: [
      { apiGroups: [""], resources: ["secrets"], verbs: ["create"] },
      {
        apiGroups: [""],
        resources: ["secrets"],
        resourceNames: [secretName],
        verbs: ["get", "list", "update", "watch"],
      },
      { apiGroups: ["events.k8s.io"], resources: ["events"], verbs: ["create", "patch"] },
    ],
    clusterRole: [
      ...patched("admissionregistration.k8s.io", "mutatingwebhookconfigurations", mutating),
      ...patched("admissionregistration.k8s.io", "validatingwebhookconfigurations", validating),
      ...patched("apiextensions.k8s.io", "customresourcedefinitions", crds),
    ],
  };
}
