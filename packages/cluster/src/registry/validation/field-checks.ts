import { isJsonObject, type JsonObject, type JsonValue } from "@kubewright/core/json";
import { type FieldError, forbidden, invalid, notSupported, required } from "@kubewright/core/schema";
import { listAt, optionalNumber, partAt, textAt } from "../draft.js";
import type { NameRule } from "../name-rules.js";

/** Where checks put what they find, in the order in which a real server finds it. */
export type Errors = FieldError[];

/** The words for a number that must not be below zero. */
export const notNegative = "must be greater than or equal to 0";

/** The words for a field that may not change. */
export const immutable = "field is immutable";

/** The objects of the list under `key`, with where they stand. */
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

/** What a rule of names finds wrong. */
export function checkName(value: string, rule: NameRule, field: string, errors: Errors): void {
  for (const detail of rule(value)) errors.push(invalid(field, value, detail));
}

/** The same for a text that must be there. */
export function checkRequiredName(value: string, rule: NameRule, field: string, errors: Errors): void {
  if (value === "") errors.push(required(field));
  else checkName(value, rule, field, errors);
}

/** The same for a field that may be left out. */
export function checkOptionalName(
  parent: JsonObject,
  key: string,
  { rule, field, errors }: { readonly rule: NameRule; readonly field: string; readonly errors: Errors },
): void {
  const value = textAt(parent, key);
  if (value !== "") checkName(value, rule, `${field}.${key}`, errors);
}

/** A text that must be one of `allowed`; empty is missing. */
export function checkEnum(value: string, allowed: readonly string[], field: string, errors: Errors): void {
  if (value === "") errors.push(required(field));
  else if (!allowed.includes(value)) errors.push(notSupported(field, value, allowed));
}

/** A text that may be left out, and else must be one of `allowed`. */
export function checkOptionalEnum(
  value: JsonValue | undefined,
  allowed: readonly string[],
  field: string,
  errors: Errors,
): void {
  if (typeof value === "string" && !allowed.includes(value)) errors.push(notSupported(field, value, allowed));
}

/** Numbers that must not be below zero, where they are there. */
export function checkNotNegative(parent: JsonObject, keys: readonly string[], field: string, errors: Errors): void {
  for (const key of keys) {
    const value = optionalNumber(parent, key);
    if (value !== undefined && value < 0) errors.push(invalid(`${field}.${key}`, value, notNegative));
  }
}

/** Texts that must be there. */
export function checkPresent(parent: JsonObject, keys: readonly string[], field: string, errors: Errors): void {
  for (const key of keys) if (textAt(parent, key) === "") errors.push(required(`${field}.${key}`));
}

/** A number that must lie in a range, where it is there. */
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

/** Of several parts only one may be there: checks each with its own function, and tells of those that are too many. */
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
