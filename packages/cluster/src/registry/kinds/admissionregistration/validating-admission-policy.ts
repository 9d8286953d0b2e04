import { duplicate, invalid, required } from "@kubewright/core/schema";
import type {
  AuditAnnotation,
  ValidatingAdmissionPolicy,
  ValidatingAdmissionPolicySpec,
  Validation,
} from "kubewright/k8s/admissionregistration/v1";
import { ageColumn, nameColumn } from "../../columns.js";
import type { Decoded } from "../../decoded.js";
import { qualifiedName } from "../../name-rules.js";
import type { Strategy } from "../../strategy.js";
import { checkName, checkOptionalEnum, type Errors, entriesAt } from "../../validation/index.js";
import { keepOtherPart } from "../spec-and-status.js";
import { checkMatching, checkVariables, compileErrors, policy, printParameterKind } from "./admission-policy.js";
import { PolicyExpressions } from "./policy-expressions.js";

const maxAuditAnnotations = 20;
const maxValueExpressionBytes = 5 * 1_024;

/** ValidatingAdmissionPolicy. */
export const validatingPolicyStrategy: Strategy<ValidatingAdmissionPolicy> = {
  ...policy,
  prepareForCreate(draft) {
    draft.status = {};
  },
  prepareForUpdate: keepOtherPart,
  validate({ spec = {}, metadata }, _old, { subresource }) {
    if (subresource === "status") return [];
    const errors: Errors = [];
    checkPolicy(spec, metadata?.name ?? "", errors);
    return errors;
  },
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

function checkPolicy(spec: Decoded<ValidatingAdmissionPolicySpec>, name: string, errors: Errors): void {
  checkMatching(spec, errors);
  // As in kube-apiserver, `variables` is unknown to the expressions of a policy without variables.
  const expressions = new PolicyExpressions(spec, (spec.variables?.length ?? 0) > 0);
  checkVariables(spec, expressions, errors);
  const why = "validations or auditAnnotations must contain at least one item";
  if (!spec.validations && !spec.auditAnnotations)
    for (const key of ["validations", "auditAnnotations"]) errors.push(required(`spec.${key}`, why));
  for (const [validation, at] of entriesAt(spec, "validations", "spec"))
    checkValidation(validation, at, expressions, errors);
  const annotations = spec.auditAnnotations ?? [];
  if (annotations.length > maxAuditAnnotations) {
    const limit = `must not have more than ${maxAuditAnnotations} auditAnnotations`;
    // The names of Go's fields, as kube-apiserver prints its internal type.
    const printed = annotations.map(({ key = "", valueExpression = "" }) => ({
      Key: key,
      ValueExpression: valueExpression,
    }));
    errors.push(invalid("spec.auditAnnotations", printed, limit));
  }
  const keys = new Set<string>();
  for (const [annotation, at] of entriesAt(spec, "auditAnnotations", "spec")) {
    const { key = "" } = annotation;
    checkName(`${name}/${key}`, qualifiedName, `${at}.key`, errors);
    checkAnnotation(annotation, at, expressions, errors);
    if (keys.has(key)) errors.push(duplicate(`${at}.key`, key));
    keys.add(key);
  }
}

function checkValidation(
  validation: Decoded<Validation>,
  at: string,
  expressions: PolicyExpressions,
  errors: Errors,
): void {
  const { expression = "", message = "", messageExpression = "", reason } = validation;
  if (expression.trim() === "") errors.push(required(`${at}.expression`, "expression is not specified"));
  else errors.push(...compileErrors(`${at}.expression`, expression, expressions.condition(expression)));
  if (messageExpression !== "") {
    const field = `${at}.messageExpression`;
    if (messageExpression.trim() === "")
      errors.push(invalid(field, messageExpression, "must be non-empty if specified"));
    else errors.push(...compileErrors(field, messageExpression, expressions.message(messageExpression)));
  }
  if (message !== "" && message.trim() === "")
    errors.push(invalid(`${at}.message`, message, "must be non-empty if specified"));
  else if (/[\r\n]/.test(message.trim()))
    errors.push(invalid(`${at}.message`, message, "must not contain line breaks"));
  checkOptionalEnum(reason, ["Forbidden", "Invalid", "RequestEntityTooLarge"], `${at}.reason`, errors);
}

function checkAnnotation(
  { valueExpression = "" }: Decoded<AuditAnnotation>,
  at: string,
  expressions: PolicyExpressions,
  errors: Errors,
): void {
  const field = `${at}.valueExpression`;
  const trimmed = valueExpression.trim();
  if (trimmed === "") errors.push(required(field, "valueExpression is not specified"));
  else if (Buffer.byteLength(trimmed) > maxValueExpressionBytes)
    errors.push(required(field, `must not exceed ${maxValueExpressionBytes} bytes in length`));
  else errors.push(...compileErrors(field, valueExpression, expressions.annotation(trimmed)));
}
