import { ageColumn, nameColumn } from "../../columns.js";
import { type Draft, draftsIn, metadataOf, objectAt } from "../../draft.js";
import { subdomainName } from "../../name-rules.js";
import type { Strategy } from "../../strategy.js";

const mountable = "kubernetes.io/enforce-mountable-secrets";

/** ServiceAccount. */
export const serviceAccountStrategy: Strategy = {
  nameRule: subdomainName,
  allowUnconditionalUpdate: true,
  // Only the names of secrets are kept.
  canonicalize(draft) {
    const secrets = draftsIn(draft["secrets"]);
    if (secrets.length > 0) draft["secrets"] = secrets.map(({ name }): Draft => (name === undefined ? {} : { name }));
  },
  warn(object, old) {
    const has = (one: typeof object): boolean => Object.hasOwn(objectAt(metadataOf(one), "annotations"), mountable);
    return has(object) && !(old && has(old))
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
