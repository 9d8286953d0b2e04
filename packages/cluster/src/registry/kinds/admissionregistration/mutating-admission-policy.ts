import { required } from "@kubewright/core/schema";
import { ageColumn, nameColumn } from "../../columns.js";
import { listAt, objectAt, textAt } from "../../draft.js";
import type { Strategy } from "../../strategy.js";
import { checkEnum, type Errors } from "../../validation/index.js";
import { checkMatching, policy, printParameterKind, rejectExpressions, withoutEffect } from "./admission-policy.js";

/** MutatingAdmissionPolicy: as {@link validatingPolicyStrategy}, expressions are not evaluated. */
export const mutatingPolicyStrategy: Strategy = {
  ...policy,
  validate(object, _old, { extensions }) {
    const errors: Errors = [];
    const spec = objectAt(object, "spec");
    checkMatching(spec, errors);
    if (listAt(spec, "mutations").length === 0)
      errors.push(required("spec.mutations", "mutations must contain at least one item"));
    checkEnum(textAt(spec, "reinvocationPolicy"), ["IfNeeded", "Never"], "spec.reinvocationPolicy", errors);
    rejectExpressions("spec.mutations", errors, extensions);
    return errors;
  },
  warn: () => [withoutEffect],
  table: {
    columns: [
      nameColumn,
      { name: "Mutations", type: "integer", cell: (object) => listAt(objectAt(object, "spec"), "mutations").length },
      { name: "ParamKind", type: "string", cell: printParameterKind },
      ageColumn,
    ],
  },
};
