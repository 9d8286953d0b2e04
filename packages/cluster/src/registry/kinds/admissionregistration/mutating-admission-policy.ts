import { required } from "@kubewright/core/schema";
import type { MutatingAdmissionPolicy } from "kubewright/k8s/admissionregistration/v1";
import { ageColumn, nameColumn } from "../../columns.js";
import type { Strategy } from "../../strategy.js";
import { checkEnum, type Errors } from "../../validation/index.js";
import { checkMatching, policy, printParameterKind, rejectExpressions, withoutEffect } from "./admission-policy.js";

/** MutatingAdmissionPolicy. Its CEL expressions are not evaluated. */
export const mutatingPolicyStrategy: Strategy<MutatingAdmissionPolicy> = {
  ...policy,
  validate(object, _old, { extensions }) {
    const errors: Errors = [];
    const spec = object.spec ?? {};
    checkMatching(spec, errors);
    if (!spec.mutations) errors.push(required("spec.mutations", "mutations must contain at least one item"));
    checkEnum(spec.reinvocationPolicy ?? "", ["IfNeeded", "Never"], "spec.reinvocationPolicy", errors);
    rejectExpressions("spec.mutations", errors, extensions);
    return errors;
  },
  warn: () => [withoutEffect],
  table: {
    columns: [
      nameColumn,
      { name: "Mutations", type: "integer", cell: (object) => object.spec?.mutations?.length ?? 0 },
      { name: "ParamKind", type: "string", cell: printParameterKind },
      ageColumn,
    ],
  },
};
