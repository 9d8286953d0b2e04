import { deepEqual, getOwn, isJsonObject, type JsonObject, type JsonValue, stringifyJson } from "../json/index.js";
import { type FieldError, invalid, notSupported, required, tooMany } from "./field-error.js";
import { isKnownFormat } from "./formats.js";
import type { Schema } from "./schema.js";
import { correlatedItem } from "./validate-lists.js";
import { broken, isGoInteger, noPath, typeInvalid, validateNumber, validateString } from "./validate-scalar.js";

/** Options of {@link validateValue}. */
export interface ValidateOptions {
  /** Prefixes the paths of the errors, but not their messages. @default none */
  readonly at?: string;
  /** The old value, for ratcheting: unchanged parts are not validated. */
  readonly old?: JsonValue | undefined;
  /** Whether `x-kubernetes-int-or-string` affects the type; kube-apiserver ignores it for defaults. @default true */
  readonly knowsIntOrString?: boolean;
}

/**
 * Validates a value against a schema, with kube-apiserver's messages.
 *
 * Does not validate CEL rules, list types and embedded resources. Accepts unknown formats and unknown fields. The value must be normalised
 * (limited in depth).
 */
export function validateValue(
  value: JsonValue,
  schema: Schema,
  { at = "", old, knowsIntOrString = true }: ValidateOptions = {},
): FieldError[] {
  const found = validate({ value, schema, path: "", old, isRatcheted: old !== undefined, knowsIntOrString });
  const errors = eachOnce(found.errors);
  return at === "" ? errors : errors.map((error) => ({ ...error, field: below(at, error.field) }));
}

/** Removes duplicate errors of a schema and its branches. */
function eachOnce(errors: readonly FieldError[]): FieldError[] {
  const seen = new Set<string>();
  return errors.filter(({ type, field, detail }) => {
    const text = JSON.stringify([type, field, detail]);
    return !seen.has(text) && seen.add(text);
  });
}

function below(at: string, field: string): string {
  return field === noPath ? at : `${at}.${field.replace(/^\./, "")}`;
}

/** The errors of a value. `matches` counts successful checks: of several failed branches, the best one is reported. */
interface Found {
  readonly errors: FieldError[];
  matches: number;
}

interface Task {
  readonly value: JsonValue;
  readonly schema: Schema;
  readonly path: string;
  readonly old: JsonValue | undefined;
  /** Ratcheting: an equal old value suppresses every error. Branches of junctors ratchet only with the whole value. */
  readonly isRatcheted: boolean;
  readonly knowsIntOrString: boolean;
}

function validate(task: Task): Found {
  const { value, schema, path, old, isRatcheted } = task;
  const found: Found = { errors: [], matches: 1 };
  validateType(task, found);
  if (value !== null) {
    validateJunctors(task, found);
    if (typeof value === "string") found.errors.push(...validateString(value, schema, path, task.knowsIntOrString));
    if (typeof value === "number" || typeof value === "bigint")
      found.errors.push(...validateNumber(value, schema, path));
    if (Array.isArray(value)) validateArray(value, task, found);
  }
  if (schema.enum !== undefined && schema.enum.length > 0) {
    if (value === null || !schema.enum.some((allowed) => isAllowed(value, allowed))) {
      const allowed = schema.enum.map((item) => (typeof item === "string" ? item : stringifyJson(item)));
      found.errors.push(notSupported(path || noPath, value, allowed));
    }
  }
  if (isJsonObject(value)) validateObject(value, task, found);
  if (isRatcheted && found.errors.length > 0 && deepEqual(value, old)) found.errors.length = 0;
  return found;
}

/** Compares as kube-apiserver does: converts the value to the Go type of the allowed value first, if possible. */
function isAllowed(value: JsonValue, allowed: JsonValue): boolean {
  if (deepEqual(value, allowed)) return true;
  if (typeof value !== "number") return false;
  if (typeof allowed === "number") return Number.isInteger(allowed) && Math.trunc(value) === allowed;
  const isCharacter = typeof allowed === "string" && Number.isInteger(value) && value >= 0 && value <= 0x10ffff;
  return isCharacter && String.fromCodePoint(value) === allowed;
}

function merge(into: Found, from: Found): void {
  into.errors.push(...from.errors);
  into.matches += from.matches;
}

function typeOf(value: JsonValue): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  if (typeof value === "number" || typeof value === "bigint") return isGoInteger(value) ? "integer" : "number";
  return typeof value;
}

function validateType({ value, schema, path, knowsIntOrString }: Task, found: Found): void {
  const types =
    schema["x-kubernetes-int-or-string"] === true && knowsIntOrString
      ? ["integer", "string"]
      : schema.type === undefined || schema.type === ""
        ? []
        : [schema.type];
  // kube-apiserver checks every format for defaults, but only supported formats for objects.
  const format = value === null ? undefined : knowsIntOrString ? knownFormat(schema) : schema.format || undefined;
  if (types.length === 0 && format === undefined) return;
  const actual = typeOf(value);
  const isOfType =
    (value === null && schema.nullable === true) ||
    types.includes(actual) ||
    (actual === "integer" && types.includes("number"));
  const isStringLike = actual === "array" || actual === "string";
  const isNumeric = types.includes("number") || types.includes("integer");
  if (format !== undefined && !isStringLike && !isOfType && formatOf(actual) !== format)
    found.errors.push(typeInvalid(path, formatOf(actual), format));
  // With a supported string format, kube-apiserver accepts strings and lists here; the format check then ignores lists.
  else if (isOfType || (format !== undefined && isStringLike && !isNumeric)) found.matches++;
  else found.errors.push(typeInvalid(path, actual, types.join(",")));
}

/** The format of Go's own types. */
function formatOf(type: string): string {
  return type === "integer" ? "int64" : type === "number" ? "float64" : "";
}

function knownFormat({ type = "", format = "" }: Schema): string | undefined {
  return format !== "" && isKnownFormat(type, format) ? format : undefined;
}

function validateArray(value: readonly JsonValue[], task: Task, found: Found): void {
  const { schema, path, old } = task;
  if (schema.items !== undefined) {
    for (const [index, item] of value.entries()) {
      const before = correlatedItem(item, schema, old);
      const inner = { ...task, value: item, schema: schema.items, path: `${path}[${index}]` };
      merge(found, validate({ ...inner, old: before, isRatcheted: before !== undefined }));
    }
  }
  if (schema.minItems !== undefined && value.length < schema.minItems) {
    found.errors.push(broken(path, value.length, `should have at least ${schema.minItems} items`));
  }
  if (schema.maxItems !== undefined && value.length > schema.maxItems) {
    found.errors.push(tooMany(path || noPath, value.length, schema.maxItems));
  }
  if (schema.uniqueItems === true && hasDuplicates(value))
    found.errors.push(broken(path, "", "shouldn't contain duplicates"));
}

function hasDuplicates(list: readonly JsonValue[]): boolean {
  return list.some((item, index) => list.slice(0, index).some((other) => deepEqual(item, other)));
}

function validateObject(value: JsonObject, task: Task, found: Found): void {
  const { schema, path } = task;
  const keys = Object.keys(value);
  if (schema.minProperties !== undefined && keys.length < schema.minProperties) {
    found.errors.push(broken(path, keys.length, `should have at least ${schema.minProperties} properties`));
  }
  if (schema.maxProperties !== undefined && keys.length > schema.maxProperties) {
    found.errors.push(tooMany(path || noPath, keys.length, schema.maxProperties));
  }
  const properties = schema.properties ?? {};
  const additional = schema.additionalProperties;
  for (const key of keys) {
    if (Object.hasOwn(properties, key)) continue;
    if (additional === false) {
      found.errors.push(invalid(path || noPath, key, `${path}.${key} in body is a forbidden property`));
    } else if (typeof additional === "object") {
      merge(found, validate(fieldTask(task, key, additional, `${path}.${key}`)));
    }
  }
  for (const key of keys) {
    const property = getOwn(properties, key);
    if (property !== undefined)
      merge(found, validate(fieldTask(task, key, property, path === "" ? key : `${path}.${key}`)));
  }
  for (const key of schema.required ?? []) {
    if (!Object.hasOwn(value, key)) found.errors.push(required(path === "" ? key : `${path}.${key}`));
  }
}

const typeFields: readonly string[] = ["apiVersion", "kind"];

function fieldTask(task: Task, key: string, schema: Schema, path: string): Task {
  const value = fieldAt(task.value, key) ?? null;
  const old = fieldAt(task.old, key);
  // Both sides were converted to one version, so changes of these two fields are not visible.
  const isHidden = task.path === "" && typeFields.includes(key);
  return { ...task, value, schema, path, old, isRatcheted: old !== undefined && !isHidden };
}

function fieldAt(value: JsonValue | undefined, key: string): JsonValue | undefined {
  return isJsonObject(value) ? getOwn(value, key) : undefined;
}

function validateJunctors(task: Task, found: Found): void {
  const { schema, path } = task;
  const name = JSON.stringify(path);
  const branch = (one: Schema): Found => validate({ ...task, schema: one, isRatcheted: false });
  if (schema.anyOf !== undefined && schema.anyOf.length > 0) {
    const results = schema.anyOf.map(branch);
    if (results.every(isFailed)) {
      found.errors.push(invalid(noPath, "", `${name} must validate at least one schema (anyOf)`));
      merge(found, best(results));
    }
  }
  if (schema.oneOf !== undefined && schema.oneOf.length > 0) {
    const results = schema.oneOf.map(branch);
    const valid = results.filter((result) => !isFailed(result)).length;
    if (valid !== 1) {
      const outcome = valid === 0 ? "Found none valid" : `Found ${valid} valid alternatives`;
      found.errors.push(invalid(noPath, "", `${name} must validate one and only one schema (oneOf). ${outcome}`));
      if (valid === 0) merge(found, best(results));
    }
  }
  if (schema.allOf !== undefined && schema.allOf.length > 0) {
    const results = schema.allOf.map(branch);
    for (const result of results) merge(found, result);
    const valid = results.filter((result) => !isFailed(result)).length;
    if (valid < results.length) {
      const none = valid === 0 ? ". None validated" : "";
      found.errors.push(invalid(noPath, "", `${name} must validate all the schemas (allOf)${none}`));
    }
  }
  if (schema.not !== undefined && !isFailed(branch(schema.not))) {
    found.errors.push(invalid(noPath, "", `${name} must not validate the schema (not)`));
  }
}

function isFailed({ errors }: Found): boolean {
  return errors.length > 0;
}

/** The first branch with the most successful checks. */
function best(results: readonly Found[]): Found {
  return results.reduce((one, other) => (other.matches > one.matches ? other : one));
}
