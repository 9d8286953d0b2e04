import { getOwn, isJsonObject, type JsonObject, type JsonValue } from "../json/index.js";
import { type FieldError, invalid, notSupported, required } from "./field-error.js";
import { resolveFieldPath } from "./field-path.js";
import type { Schema } from "./schema.js";

const reasons: readonly string[] = [
  "FieldValueDuplicate",
  "FieldValueForbidden",
  "FieldValueInvalid",
  "FieldValueRequired",
];

/** Validates the fields of CEL rules, not their expressions. Adds to `errors`. */
export function checkRuleForms(schema: JsonObject, path: string, errors: FieldError[]): void {
  const rules = getOwn(schema, "x-kubernetes-validations");
  if (!Array.isArray(rules)) return;
  for (const [index, entry] of rules.entries()) {
    const place = `${path}.x-kubernetes-validations[${index}]`;
    if (isJsonObject(entry)) checkForm(entry, schema, place, errors);
    else errors.push(required(`${place}.rule`, "rule is not specified"));
  }
}

function checkForm(entry: JsonObject, schema: JsonObject, place: string, errors: FieldError[]): void {
  const rule = textAt(entry, "rule").trim();
  const message = textAt(entry, "message");
  if (rule === "") errors.push(required(`${place}.rule`, "rule is not specified"));
  else if (message !== "" && message.trim() === "")
    errors.push(invalid(`${place}.message`, message, "must be non-empty if specified"));
  else if (hasLines(message.trim())) errors.push(invalid(`${place}.message`, message, "must not contain line breaks"));
  else if (hasLines(rule) && message.trim() === "")
    errors.push(required(`${place}.message`, "message must be specified if rule contains line breaks"));
  const expression = textAt(entry, "messageExpression");
  if (expression !== "" && expression.trim() === "")
    errors.push(required(`${place}.messageExpression`, "messageExpression must be non-empty if specified"));
  const reason = getOwn(entry, "reason");
  if (reason !== undefined && !(typeof reason === "string" && reasons.includes(reason))) {
    errors.push(notSupported(`${place}.reason`, reason, reasons));
  }
  const fieldPath = textAt(entry, "fieldPath");
  if (fieldPath === "") return;
  if (fieldPath.trim() === "") errors.push(invalid(`${place}.fieldPath`, fieldPath, "must be non-empty if specified"));
  if (hasLines(fieldPath)) errors.push(invalid(`${place}.fieldPath`, fieldPath, "must not contain line breaks"));
  if (resolveFieldPath(fieldPath, schema as Schema).kind === "invalid")
    errors.push(invalid(`${place}.fieldPath`, fieldPath, "must be a valid path"));
}

function hasLines(text: string): boolean {
  return /[\r\n]/.test(text);
}

function textAt(entry: JsonObject, key: string): string {
  const value: JsonValue | undefined = getOwn(entry, key);
  return typeof value === "string" ? value : "";
}
