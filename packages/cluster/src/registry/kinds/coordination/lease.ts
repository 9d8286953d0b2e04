import type { FieldError } from "@kubewright/core/schema";
import { ageColumn, nameColumn } from "../../columns.js";
import { childDraft, type Draft, objectAt, textAt } from "../../draft.js";
import { subdomainName } from "../../name-rules.js";
import { invalidAt } from "../../object-meta.js";
import type { Strategy } from "../../strategy.js";

/** Lease: an update must have a resourceVersion. */
export const leaseStrategy: Strategy = {
  nameRule: subdomainName,
  allowUnconditionalUpdate: false,
  allowCreateOnUpdate: true,
  applyDefaults(draft) {
    childDraft(draft, "spec");
  },
  canonicalize(draft) {
    const spec = objectAt(draft, "spec");
    if (spec["strategy"] === undefined && spec["preferredHolder"] === undefined) return;
    // Behind a feature gate that is off by default.
    const { strategy: _, preferredHolder: __, ...rest } = spec as Draft;
    draft["spec"] = rest;
  },
  validate(object) {
    const spec = objectAt(object, "spec");
    const errors: FieldError[] = [];
    const duration = spec["leaseDurationSeconds"];
    if (typeof duration === "number" && duration <= 0)
      errors.push(invalidAt("spec.leaseDurationSeconds", duration, "must be greater than 0"));
    const transitions = spec["leaseTransitions"];
    if (typeof transitions === "number" && transitions < 0)
      errors.push(invalidAt("spec.leaseTransitions", transitions, "must be greater than or equal to 0"));
    return errors;
  },
  table: {
    columns: [
      nameColumn,
      { name: "Holder", type: "string", cell: (object) => textAt(objectAt(object, "spec"), "holderIdentity") },
      ageColumn,
    ],
  },
};
