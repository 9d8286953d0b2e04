import type { JsonObject, JsonValue } from "@kubewright/core/json";
import { type FieldError, forbidden, invalid, notSupported, required } from "@kubewright/core/schema";
import { optionalNumber, partAt, textAt } from "../draft.js";
import type { NameRule } from "../name-rules.js";

/** The list that validation functions append their errors to. */
export type Errors = FieldError[];

/** The message for a negative number. */
export const notNegative = "must be greater than or equal to 0";

/** The message for a change of an immutable field. */
export const immutable = "field is immutable";

/** A field name of a decoded object; any name for an untyped one. */
type FieldOf<T> = keyof T & string;

/** The items of the list under `key`, with their paths below `field`, or below the root without `field`. */
export function entriesAt<T extends JsonObject, Key extends FieldOf<T>>(
  parent: T,
  key: Key,
  field?: string,
): readonly (readonly [item: ItemOf<T[Key]>, at: string])[] {
  const list: JsonValue | undefined = parent[key];
  if (!Array.isArray(list) || list.length === 0) return none;
  const at = field === undefined ? key : `${field}.${key}`;
  return list.map((item, index) => [item, `${at}[${index}]`]);
}

/** The item type of a list in a decoded object; in an untyped one, objects. */
type ItemOf<List> = JsonValue extends List
  ? JsonObject
  : NonNullable<List> extends readonly (infer Item)[]
    ? Item
    : never;

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
export function checkOptionalName<T extends JsonObject>(
  parent: T,
  key: FieldOf<T>,
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
export function checkNotNegative<T extends JsonObject>(
  parent: T,
  keys: readonly FieldOf<T>[],
  field: string,
  errors: Errors,
): void {
  for (const key of keys) {
    const value = optionalNumber(parent, key);
    if (value !== undefined && value < 0) errors.push(invalid(`${field}.${key}`, value, notNegative));
  }
}

/** Validates required strings. */
export function checkPresent<T extends JsonObject>(
  parent: T,
  keys: readonly FieldOf<T>[],
  field: string,
  errors: Errors,
): void {
  for (const key of keys) if (textAt(parent, key) === "") errors.push(required(`${field}.${key}`));
}

/** Validates an optional number that must be in a range. */
export function checkRange(
  value: number | bigint | undefined,
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

/** Validates a union: validates the first member that is set, and rejects the others. Returns the number of validated members. */
export function checkOneOf<T extends JsonObject>(
  parent: T,
  checks: { readonly [Key in FieldOf<T>]?: (part: PartOf<T[Key]>, at: string) => void },
  { field, tooMany, errors }: { readonly field: string; readonly tooMany: string; readonly errors: Errors },
): number {
  let found = 0;
  for (const key in checks) {
    const part = partAt(parent, key);
    if (part === undefined) continue;
    if (found > 0) errors.push(forbidden(`${field}.${key}`, tooMany));
    else {
      found++;
      checks[key]?.(part as PartOf<T[typeof key]>, `${field}.${key}`);
    }
  }
  return found;
}

/** The type of a member of a decoded object; any object in an untyped one. */
type PartOf<Value> = JsonValue extends Value ? JsonObject : NonNullable<Value>;
