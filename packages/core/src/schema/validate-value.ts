import { deepEqual, getOwn, isJsonObject, type JsonObject, type JsonValue } from "../json/index.js";
import { type FieldError, invalid, notSupported, printNumber, required, tooLong, tooMany } from "./field-error.js";
import { hasFormat } from "./formats.js";
import { compilePattern } from "./pattern.js";
import type { Schema } from "./schema.js";
import { validateLists } from "./validate-lists.js";

/**
 * Checks a value against a schema, and gives every broken rule in the words of the Kubernetes API server.
 *
 * `path` stands before the paths of the fields; CEL rules are not evaluated here. Unknown formats and unknown fields are fine.
 * The value must be normalised (bounded in depth).
 */
export function validateValue(value: JsonValue, schema: Schema, path = ""): FieldError[] {
  return [...validate(value, schema, path), ...validateLists(value, schema, path)];
}

/** The server has no path for the root, nor for errors that concern a whole group of schemas. */
const noPath = "<nil>";

function validate(value: JsonValue, schema: Schema, path: string): FieldError[] {
  const errors = [...validateType(value, schema, path)];
  if (value !== null) {
    errors.push(...validateJunctors(value, schema, path));
    if (typeof value === "string") errors.push(...validateString(value, schema, path));
    if (typeof value === "number") errors.push(...validateNumber(value, schema, path));
    if (Array.isArray(value)) errors.push(...validateArray(value, schema, path));
  }
  if (schema.enum !== undefined && schema.enum.length > 0) {
    if (value === null || !schema.enum.some((allowed) => deepEqual(allowed, value))) {
      const allowed = schema.enum.map((item) => (typeof item === "string" ? item : JSON.stringify(item)));
      errors.push(notSupported(path || noPath, value, allowed));
    }
  }
  if (isJsonObject(value)) errors.push(...validateObject(value, schema, path));
  return errors;
}

function typeOf(value: JsonValue): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  if (typeof value === "number") return Number.isInteger(value) ? "integer" : "number";
  return typeof value;
}

function validateType(value: JsonValue, schema: Schema, path: string): FieldError[] {
  const types =
    schema["x-kubernetes-int-or-string"] === true
      ? ["integer", "string"]
      : schema.type === undefined
        ? []
        : [schema.type];
  if (types.length === 0) return [];
  const actual = typeOf(value);
  if (value === null && schema.nullable === true) return [];
  if (types.includes(actual) || (actual === "integer" && types.includes("number"))) return [];
  return [typeInvalid(path, actual, types.join(","))];
}

function typeInvalid(path: string, actual: string, expected: string): FieldError {
  const detail = `${path} in body must be of type ${expected}: ${JSON.stringify(actual)}`;
  return { type: "TypeInvalid", field: path || noPath, badValue: actual, detail };
}

function validateString(value: string, schema: Schema, path: string): FieldError[] {
  const errors: FieldError[] = [];
  const length = schema.maxLength === undefined && schema.minLength === undefined ? 0 : countCharacters(value);
  if (schema.maxLength !== undefined && length > schema.maxLength) {
    errors.push(tooLong(path || noPath, schema.maxLength));
  } else if (schema.minLength !== undefined && length < schema.minLength) {
    errors.push(broken(path, value, `should be at least ${schema.minLength} chars long`));
  } else if (schema.pattern !== undefined && schema.pattern !== "") {
    const pattern = compilePattern(schema.pattern);
    if (pattern.kind === "refused")
      errors.push(broken(path, value, `should match '${schema.pattern}', but pattern is invalid: ${pattern.reason}`));
    else if (!pattern.matches(value)) errors.push(broken(path, value, `should match '${schema.pattern}'`));
  }
  const isText = schema.type === undefined || schema.type === "string";
  if (schema.format !== undefined && isText && !hasFormat(value, schema.format)) {
    errors.push(typeInvalid(path, value, schema.format));
  }
  return errors;
}

function countCharacters(text: string): number {
  let count = 0;
  for (const _ of text) count++;
  return count;
}

const ranges: ReadonlyMap<string, (value: number) => boolean> = new Map([
  ["int32", (value: number) => value >= -(2 ** 31) && value < 2 ** 31],
  ["int64", (value: number) => value >= -(2 ** 63) && value < 2 ** 63],
]);

function validateNumber(value: number, schema: Schema, path: string): FieldError[] {
  const errors: FieldError[] = [];
  if (schema.type === "integer" && Number.isInteger(value) && ranges.get(schema.format ?? "")?.(value) === false) {
    const detail = `Checked value must be of type integer with format ${schema.format} in ${path}`;
    errors.push(invalid(noPath, "", detail));
  }
  const { multipleOf, minimum, maximum } = schema;
  if (multipleOf !== undefined && multipleOf > 0) {
    const quotient = multipleOf < 1 ? (1 / multipleOf) * value : value / multipleOf;
    if (Math.abs(quotient - Math.round(quotient)) > 1e-9 * Math.max(1, Math.abs(quotient))) {
      errors.push(broken(path, value, `should be a multiple of ${printNumber(multipleOf)}`));
    }
  }
  if (minimum !== undefined && (schema.exclusiveMinimum === true ? value <= minimum : value < minimum)) {
    const relation = schema.exclusiveMinimum === true ? "greater than" : "greater than or equal to";
    errors.push(broken(path, value, `should be ${relation} ${printNumber(minimum)}`));
  }
  if (maximum !== undefined && (schema.exclusiveMaximum === true ? value >= maximum : value > maximum)) {
    const relation = schema.exclusiveMaximum === true ? "less than" : "less than or equal to";
    errors.push(broken(path, value, `should be ${relation} ${printNumber(maximum)}`));
  }
  return errors;
}

function validateArray(value: readonly JsonValue[], schema: Schema, path: string): FieldError[] {
  const errors: FieldError[] = [];
  if (schema.items !== undefined) {
    for (const [index, item] of value.entries()) errors.push(...validate(item, schema.items, `${path}[${index}]`));
  }
  if (schema.minItems !== undefined && value.length < schema.minItems) {
    errors.push(broken(path, value.length, `should have at least ${schema.minItems} items`));
  }
  if (schema.maxItems !== undefined && value.length > schema.maxItems) {
    errors.push(tooMany(path || noPath, value.length, schema.maxItems));
  }
  if (schema.uniqueItems === true && hasDuplicates(value))
    errors.push(broken(path, "", "shouldn't contain duplicates"));
  return errors;
}

function hasDuplicates(list: readonly JsonValue[]): boolean {
  return list.some((item, index) => list.slice(0, index).some((other) => deepEqual(item, other)));
}

function validateObject(value: JsonObject, schema: Schema, path: string): FieldError[] {
  const errors: FieldError[] = [];
  const keys = Object.keys(value);
  if (schema.minProperties !== undefined && keys.length < schema.minProperties) {
    errors.push(broken(path, keys.length, `should have at least ${schema.minProperties} properties`));
  }
  if (schema.maxProperties !== undefined && keys.length > schema.maxProperties) {
    errors.push(tooMany(path || noPath, keys.length, schema.maxProperties));
  }
  const properties = schema.properties ?? {};
  for (const key of keys) {
    if (Object.hasOwn(properties, key)) continue;
    const additional = schema.additionalProperties;
    if (additional === false) {
      errors.push(invalid(path || noPath, key, `${path}.${key} in body is a forbidden property`));
    } else if (typeof additional === "object") {
      errors.push(...validate(value[key] ?? null, additional, `${path}.${key}`));
    }
  }
  for (const key of keys) {
    const property = getOwn(properties, key);
    if (property !== undefined)
      errors.push(...validate(value[key] ?? null, property, path === "" ? key : `${path}.${key}`));
  }
  for (const key of schema.required ?? []) {
    if (!Object.hasOwn(value, key)) errors.push(required(path === "" ? key : `${path}.${key}`));
  }
  return errors;
}

function validateJunctors(value: JsonValue, schema: Schema, path: string): FieldError[] {
  const errors: FieldError[] = [];
  const name = JSON.stringify(path);
  if (schema.anyOf !== undefined && schema.anyOf.length > 0) {
    const failures = schema.anyOf.map((branch) => validate(value, branch, path));
    if (failures.every((failure) => failure.length > 0)) {
      errors.push(invalid(noPath, "", `${name} must validate at least one schema (anyOf)`), ...(failures[0] ?? []));
    }
  }
  if (schema.oneOf !== undefined && schema.oneOf.length > 0) {
    const failures = schema.oneOf.map((branch) => validate(value, branch, path));
    const valid = failures.filter((failure) => failure.length === 0).length;
    if (valid !== 1) {
      const found = valid === 0 ? "Found none valid" : `Found ${valid} valid alternatives`;
      errors.push(invalid(noPath, "", `${name} must validate one and only one schema (oneOf). ${found}`));
      if (valid === 0) errors.push(...(failures[0] ?? []));
    }
  }
  if (schema.allOf !== undefined && schema.allOf.length > 0) {
    const failures = schema.allOf.map((branch) => validate(value, branch, path));
    errors.push(...failures.flat());
    const valid = failures.filter((failure) => failure.length === 0).length;
    if (valid < failures.length) {
      const none = valid === 0 ? ". None validated" : "";
      errors.push(invalid(noPath, "", `${name} must validate all the schemas (allOf)${none}`));
    }
  }
  if (schema.not !== undefined && validate(value, schema.not, path).length === 0) {
    errors.push(invalid(noPath, "", `${name} must not validate the schema (not)`));
  }
  return errors;
}

function broken(path: string, badValue: JsonValue, rule: string): FieldError {
  return invalid(path || noPath, badValue, `${path} in body ${rule}`);
}
