import { invalid, required } from "@kubewright/core/schema";
import type { ValidatingAdmissionPolicy, ValidatingAdmissionPolicySpec } from "kubewright/k8s/admissionregistration/v1";
import { ageColumn, nameColumn } from "../../columns.js";
import type { Decoded } from "../../decoded.js";
import type { Strategy } from "../../strategy.js";
import { checkOptionalEnum, type Errors, entriesAt } from "../../validation/index.js";
import { keepOtherPart } from "../spec-and-status.js";
import { checkMatching, policy, printParameterKind, rejectExpressions, withoutEffect } from "./admission-policy.js";

/**
 * ValidatingAdmissionPolicy. This server does not evaluate CEL: it validates the other fields, and rejects policies unless it was started to
 * accept them without effect.
 */
export const validatingPolicyStrategy: Strategy<ValidatingAdmissionPolicy> = {
  ...policy,
  prepareForCreate(draft) {
    draft.status = {};
  },
  prepareForUpdate: keepOtherPart,
  validate(object, _old, { subresource, extensions }) {
    if (subresource === "status") return [];
    const errors: Errors = [];
    checkPolicy(object.spec ?? {}, errors);
    rejectExpressions("spec.validations", errors, extensions);
    return errors;
  },
  warn: () => [withoutEffect],
  table: {
    columns: [
      nameColumn,
      {
        name: "Validations",
        type: "integer",
        cell: (object) => object.spec?.validations?.length ?? 0,
      },
      { name: "ParamKind", type: "string", cell: printParameterKind },
      ageColumn,
    ],
  },
};

function checkPolicy(spec: Decoded<ValidatingAdmissionPolicySpec>, errors: Errors): void {
  checkMatching(spec, errors);
  const why = "validations or auditAnnotations must contain at least one item";
  if (!spec.validations && !spec.auditAnnotations)
    for (const key of ["validations", "auditAnnotations"]) errors.push(required(`spec.${key}`, why));
  for (const [{ expression = "", message = "", reason }, at] of entriesAt(spec, "validations", "spec")) {
    if (expression.trim() === "") errors.push(required(`${at}.expression`, "expression is not specified"));
    if (/[\r\n]/.test(message.trim())) errors.push(invalid(`${at}.message`, message, "must not contain line breaks"));
    checkOptionalEnum(reason, ["Forbidden", "Invalid", "RequestEntityTooLarge"], `${at}.reason`, errors);
  }
}
