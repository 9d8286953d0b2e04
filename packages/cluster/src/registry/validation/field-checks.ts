import { isJsonObject, type JsonObject, type JsonValue } from "@kubewright/core/json";
import { type FieldError, forbidden, invalid, notSupported, required } from "@kubewright/core/schema";
import { listAt, optionalNumber, partAt, textAt } from "../draft.js";
import type { NameRule } from "../name-rules.js";

/** The list to which checks add their errors. */
export type Errors = FieldError[];

/** The message for a negative number. */
export const notNegative = "must be greater than or equal to 0";

/** The message for a change of an immutable field. */
export const immutable = "field is immutable";

/** The objects of the list under `key`, with their paths. */
export function entriesAt(
  parent: JsonObject,
  key: string,
  field: string,
): readonly (readonly [item: JsonObject, at: string])[] {
  const list = listAt(parent, key);
  if (list.length === 0) return none;
  return list.map((item, index) => [isJsonObject(item) ? item : {}, `${field}.${key}[${index}]`]);
}

const none: readonly never[] = [];

/** Validates a string by a name rule. */
export function checkName(value: string, rule: NameRule, field: string, errors: Errors): void {
  for (const detail of rule(value)) errors.push(invalid(field, value, detail));
}

/** Validates a required string by a name rule. */
export function checkRequiredName(value: string, rule: NameRule, field: string, errors: Errors): void {
  if (value === "") errors.push(required(field));
  else checkName(value, rule, field, errors);
}

/** Validates an optional string field by a name rule. */
export function checkOptionalName(
  parent: JsonObject,
  key: string,
  { rule, field, errors }: { readonly rule: NameRule; readonly field: string; readonly errors: Errors },
): void {
  const value = textAt(parent, key);
  if (value !== "") checkName(value, rule, `${field}.${key}`, errors);
}

/** Validates a required string that must be one of `allowed`. */
export function checkEnum(value: string, allowed: readonly string[], field: string, errors: Errors): void {
  if (value === "") errors.push(required(field));
  else if (!allowed.includes(value)) errors.push(notSupported(field, value, allowed));
}

/** Validates an optional string that must be one of `allowed`. */
export function checkOptionalEnum(
  value: JsonValue | undefined,
  allowed: readonly string[],
  field: string,
  errors: Errors,
): void {
  if (typeof value === "string" && !allowed.includes(value)) errors.push(notSupported(field, value, allowed));
}

/** Validates optional numbers that must not be negative. */
export function checkNotNegative(parent: JsonObject, keys: readonly string[], field: string, errors: Errors): void {
  for (const key of keys) {
    const value = optionalNumber(parent, key);
    if (value !== undefined && value < 0) errors.push(invalid(`${field}.${key}`, value, notNegative));
  }
}

/** Validates required strings. */
export function checkPresent(parent: JsonObject, keys: readonly string[], field: string, errors: Errors): void {
  for (const key of keys) if (textAt(parent, key) === "") errors.push(required(`${field}.${key}`));
}

/** Validates an optional number that must be in a range. */
export function checkRange(
  value: number | undefined,
  {
    min,
    max,
    field,
    errors,
  }: { readonly min: number; readonly max: number; readonly field: string; readonly errors: Errors },
): void {
  if (value !== undefined && (value < min || value > max))
    errors.push(invalid(field, value, `must be between ${min} and ${max}, inclusive`));
}

/** Validates a union: checks the first part that is set, and rejects the others. Gives the number of checked parts. */
export function checkOneOf(
  parent: JsonObject,
  checks: Readonly<Record<string, (part: JsonObject, at: string) => void>>,
  { field, tooMany, errors }: { readonly field: string; readonly tooMany: string; readonly errors: Errors },
): number {
  let found = 0;
  for (const [key, check] of Object.entries(checks)) {
    const part = partAt(parent, key);
    if (part === undefined) continue;
    if (found > 0) errors.push(forbidden(`${field}.${key}`, tooMany));
    else {
      found++;
      check(part, `${field}.${key}`);
    }
  }
  return found;
}
