import type { ServiceAccount } from "kubewright/k8s/core/v1";
import { ageColumn, nameColumn } from "../../columns.js";
import { subdomainName } from "../../name-rules.js";
import type { Strategy } from "../../strategy.js";

const mountable = "kubernetes.io/enforce-mountable-secrets";

/** ServiceAccount. */
export const serviceAccountStrategy: Strategy<ServiceAccount> = {
  nameRule: subdomainName,
  allowUnconditionalUpdate: true,
  // Only the names of the secret references are stored.
  canonicalize(draft) {
    if (draft.secrets) draft.secrets = draft.secrets.map(({ name }) => (name === undefined ? {} : { name }));
  },
  warn(object, old) {
    const isNew = old?.metadata?.annotations?.[mountable] === undefined;
    return isNew && object.metadata?.annotations?.[mountable] !== undefined
      ? [
          `metadata.annotations[${mountable}]: deprecated in v1.32+; prefer separate namespaces to isolate access to mounted secrets`,
        ]
      : [];
  },
  deletion: {
    returnsObject: true,
  },
  table: {
    columns: [nameColumn, ageColumn],
  },
};
