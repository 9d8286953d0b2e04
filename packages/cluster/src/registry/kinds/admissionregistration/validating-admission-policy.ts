import type { JsonObject } from "@kubewright/core/json";
import { invalid, required } from "@kubewright/core/schema";
import { ageColumn, nameColumn } from "../../columns.js";
import { listAt, objectAt, textAt } from "../../draft.js";
import type { Strategy } from "../../strategy.js";
import { checkOptionalEnum, type Errors, entriesAt } from "../../validation/index.js";
import { keepOtherPart } from "../spec-and-status.js";
import { checkMatching, policy, printParameterKind, rejectExpressions, withoutEffect } from "./admission-policy.js";

/**
 * ValidatingAdmissionPolicy. This server does not evaluate CEL: it validates the other fields, and rejects policies unless it was started to
 * accept them without effect.
 */
export const validatingPolicyStrategy: Strategy = {
  ...policy,
  prepareForCreate(draft) {
    draft["status"] = {};
  },
  prepareForUpdate: keepOtherPart,
  validate(object, _old, { subresource, extensions }) {
    if (subresource === "status") return [];
    const errors: Errors = [];
    const spec = objectAt(object, "spec");
    checkPolicy(spec, errors);
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
        cell: (object) => listAt(objectAt(object, "spec"), "validations").length,
      },
      { name: "ParamKind", type: "string", cell: printParameterKind },
      ageColumn,
    ],
  },
};

function checkPolicy(spec: JsonObject, errors: Errors): void {
  checkMatching(spec, errors);
  const why = "validations or auditAnnotations must contain at least one item";
  if (listAt(spec, "validations").length + listAt(spec, "auditAnnotations").length === 0)
    for (const key of ["validations", "auditAnnotations"]) errors.push(required(`spec.${key}`, why));
  for (const [validation, at] of entriesAt(spec, "validations", "spec")) {
    if (textAt(validation, "expression").trim() === "")
      errors.push(required(`${at}.expression`, "expression is not specified"));
    if (/[\r\n]/.test(textAt(validation, "message").trim()))
      errors.push(invalid(`${at}.message`, textAt(validation, "message"), "must not contain line breaks"));
    checkOptionalEnum(validation["reason"], ["Forbidden", "Invalid", "RequestEntityTooLarge"], `${at}.reason`, errors);
  }
}
