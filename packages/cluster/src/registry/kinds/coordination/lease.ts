import type { FieldError } from "@kubewright/core/schema";
import type { Lease } from "kubewright/k8s/coordination/v1";
import { ageColumn, nameColumn } from "../../columns.js";
import { childDraft } from "../../draft.js";
import { subdomainName } from "../../name-rules.js";
import { invalidAt } from "../../object-meta.js";
import type { Strategy } from "../../strategy.js";

/** Lease. An update must have a resourceVersion. */
export const leaseStrategy: Strategy<Lease> = {
  nameRule: subdomainName,
  allowUnconditionalUpdate: false,
  allowCreateOnUpdate: true,
  applyDefaults(draft) {
    childDraft(draft, "spec");
  },
  canonicalize(draft) {
    // Behind a feature gate that is off by default.
    const { strategy, preferredHolder, ...spec } = draft.spec ?? {};
    if (strategy !== undefined || preferredHolder !== undefined) draft.spec = spec;
  },
  validate(object) {
    const { leaseDurationSeconds = 1, leaseTransitions = 0 } = object.spec ?? {};
    const errors: FieldError[] = [];
    if (leaseDurationSeconds <= 0)
      errors.push(invalidAt("spec.leaseDurationSeconds", leaseDurationSeconds, "must be greater than 0"));
    if (leaseTransitions < 0)
      errors.push(invalidAt("spec.leaseTransitions", leaseTransitions, "must be greater than or equal to 0"));
    return errors;
  },
  table: {
    columns: [
      nameColumn,
      { name: "Holder", type: "string", cell: (object) => object.spec?.holderIdentity ?? "" },
      ageColumn,
    ],
  },
};
