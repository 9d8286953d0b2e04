import type { JsonValue } from "../json/index.js";
import { type CompiledPattern, compilePattern } from "../regexp/index.js";
import { type FieldError, invalid, printNumber, tooLong } from "./field-error.js";
import { hasFormat } from "./formats.js";
import type { Schema } from "./schema.js";

/** kube-apiserver reports no path for the root and for errors of junctors. */
export const noPath = "<nil>";

/** A value with the wrong type or format. */
export function typeInvalid(path: string, actual: string, expected: string): FieldError {
  const detail = `${path} in body must be of type ${expected}: ${JSON.stringify(actual)}`;
  return { type: "TypeInvalid", field: path || noPath, badValue: actual, detail };
}

/** A value that violates its schema. */
export function broken(path: string, badValue: JsonValue, rule: string): FieldError {
  return invalid(path || noPath, badValue, `${path} in body ${rule}`);
}

/** Validates a string: reports the first violated limit, and the format. With `onlyStringType`, the format applies to type string only. */
export function validateString(value: string, schema: Schema, path: string, onlyStringType: boolean): FieldError[] {
  const errors: FieldError[] = [];
  const length = schema.maxLength === undefined && schema.minLength === undefined ? 0 : countCharacters(value);
  if (schema.maxLength !== undefined && length > schema.maxLength) {
    errors.push(tooLong(path || noPath, schema.maxLength));
  } else if (schema.minLength !== undefined && length < schema.minLength) {
    errors.push(broken(path, value, `should be at least ${schema.minLength} chars long`));
  } else if (schema.pattern !== undefined && schema.pattern !== "") {
    const pattern = patternOf(schema, schema.pattern);
    if (pattern.kind === "rejected")
      errors.push(broken(path, value, `should match '${schema.pattern}, but pattern is invalid: ${pattern.reason}'`));
    else if (!pattern.matches(value)) errors.push(broken(path, value, `should match '${schema.pattern}'`));
  }
  const isString = schema.type === undefined || schema.type === "" || schema.type === "string";
  if (schema.format !== undefined && (isString || !onlyStringType) && !hasFormat(value, schema.format)) {
    errors.push(typeInvalid(path, value, schema.format));
  }
  return errors;
}

const patterns = new WeakMap<Schema, CompiledPattern>();

/** The pattern of a schema, compiled on first use. */
function patternOf(schema: Schema, pattern: string): CompiledPattern {
  let compiled = patterns.get(schema);
  if (compiled === undefined) {
    compiled = compilePattern(pattern);
    patterns.set(schema, compiled);
  }
  return compiled;
}

function countCharacters(text: string): number {
  let count = 0;
  for (const _ of text) count++;
  return count;
}

/** Validates a number. As in Go, limits for integers are truncated to integers, if the type allows it. */
export function validateNumber(value: number | bigint, schema: Schema, path: string): FieldError[] {
  const errors = checkRange(value, schema, path, "Checked");
  const { multipleOf, minimum, maximum } = schema;
  const asBound = (bound: number, name: string): number => {
    const unfit = checkRange(bound, schema, path, name);
    errors.push(...unfit);
    return unfit.length === 0 && isGoInteger(value) ? Math.trunc(bound) : bound;
  };
  if (multipleOf !== undefined) errors.push(...checkMultiple(value, asBound(multipleOf, "MultipleOf"), path));
  if (minimum !== undefined) {
    const least = asBound(minimum, "Minimum boundary");
    const relation = schema.exclusiveMinimum === true ? "greater than" : "greater than or equal to";
    if (schema.exclusiveMinimum === true ? value <= least : value < least)
      errors.push(broken(path, value, `should be ${relation} ${printNumber(least)}`));
  }
  if (maximum !== undefined) {
    const most = asBound(maximum, "Maximum boundary");
    const relation = schema.exclusiveMaximum === true ? "less than" : "less than or equal to";
    if (schema.exclusiveMaximum === true ? value >= most : value > most)
      errors.push(broken(path, value, `should be ${relation} ${printNumber(most)}`));
  }
  return errors;
}

function checkMultiple(value: number | bigint, factor: number, path: string): FieldError[] {
  if (factor <= 0) {
    const detail = `factor MultipleOf declared for ${path} must be positive: ${printNumber(factor)}`;
    return [invalid(path || noPath, factor, detail)];
  }
  const quotient = factor < 1 ? (1 / factor) * Number(value) : Number(value) / factor;
  const isWhole =
    isGoInteger(value) && Number.isInteger(factor)
      ? BigInt(value) % BigInt(factor) === 0n
      : Math.abs(quotient) <= Number.MAX_SAFE_INTEGER &&
        Math.abs(quotient - Math.round(quotient)) <= 1e-9 * Math.max(1, Math.abs(quotient));
  if (isWhole) return [];
  return [broken(path, value, `should be a multiple of ${printNumber(factor)}`)];
}

/** Whether kube-apiserver treats the number as int64: an int64, or a double that is a safe integer. */
export function isGoInteger(value: number | bigint): boolean {
  return typeof value === "bigint" || Number.isSafeInteger(value);
}

const maxFloat32 = 3.4028235677973366e38;

/** Whether the number fits the Go type of the schema. */
function checkRange(value: number | bigint, schema: Schema, path: string, what: string): FieldError[] {
  const { type, format } = schema;
  let formatSuffix = "";
  if (type === "integer") {
    const bits = format === "int32" ? 31 : 63;
    const isInteger = typeof value === "bigint" || Number.isInteger(value);
    if (isInteger && value >= -(2 ** bits) && value < 2 ** bits) return [];
    formatSuffix = format === "int32" || format === "int64" ? ` with format ${format}` : " (default format)";
  } else if (type === "number" && format === "float") {
    if (Math.abs(Number(value)) < maxFloat32) return [];
    formatSuffix = " with format float";
  } else return [];
  return [invalid(noPath, "", `${what} value must be of type ${type}${formatSuffix} in ${path}`)];
}
