import type { JsonValue } from "../json/index.js";
import { type CompiledPattern, compilePattern } from "../regexp/index.js";
import { type FieldError, invalid, printNumber, tooLong } from "./field-error.js";
import { hasFormat } from "./formats.js";
import type { Schema } from "./schema.js";

/** The server has no path for the root, nor for errors that concern a whole group of schemas. */
export const noPath = "<nil>";

/** A value of another type or format. */
export function typeInvalid(path: string, actual: string, expected: string): FieldError {
  const detail = `${path} in body must be of type ${expected}: ${JSON.stringify(actual)}`;
  return { type: "TypeInvalid", field: path || noPath, badValue: actual, detail };
}

/** A value that breaks a rule of its schema. */
export function broken(path: string, badValue: JsonValue, rule: string): FieldError {
  return invalid(path || noPath, badValue, `${path} in body ${rule}`);
}

/** The errors of a string by its schema: the first limit that it breaks, and its format, unless that is for the type string alone. */
export function validateString(value: string, schema: Schema, path: string, isForTexts: boolean): FieldError[] {
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
  const isText = schema.type === undefined || schema.type === "" || schema.type === "string";
  if (schema.format !== undefined && (isText || !isForTexts) && !hasFormat(value, schema.format)) {
    errors.push(typeInvalid(path, value, schema.format));
  }
  return errors;
}

const patterns = new WeakMap<Schema, CompiledPattern>();

/** The pattern of a schema, compiled with the first value. */
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

/** What a schema says of a number. Bounds are held against integers as Go's integers, which have no fraction, where the type allows it. */
export function validateNumber(value: number, schema: Schema, path: string): FieldError[] {
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

function checkMultiple(value: number, factor: number, path: string): FieldError[] {
  if (factor <= 0) {
    const detail = `factor MultipleOf declared for ${path} must be positive: ${printNumber(factor)}`;
    return [invalid(path || noPath, factor, detail)];
  }
  const quotient = factor < 1 ? (1 / factor) * value : value / factor;
  const isWhole =
    isGoInteger(value) && Number.isInteger(factor)
      ? BigInt(value) % BigInt(factor) === 0n
      : Math.abs(quotient) <= Number.MAX_SAFE_INTEGER &&
        Math.abs(quotient - Math.round(quotient)) <= 1e-9 * Math.max(1, Math.abs(quotient));
  if (isWhole) return [];
  return [broken(path, value, `should be a multiple of ${printNumber(factor)}`)];
}

/** Whether Go reads the number as an integer of 64 bits. */
function isGoInteger(value: number): boolean {
  return Number.isInteger(value) && value >= -(2 ** 63) && value < 2 ** 63;
}

const maxFloat32 = 3.4028235677973366e38;

/** Whether Go could hold the number in the type that the schema names. */
function checkRange(value: number, schema: Schema, path: string, what: string): FieldError[] {
  const { type, format } = schema;
  let told = "";
  if (type === "integer") {
    const bits = format === "int32" ? 31 : 63;
    if (Number.isInteger(value) && value >= -(2 ** bits) && value < 2 ** bits) return [];
    told = format === "int32" || format === "int64" ? ` with format ${format}` : " (default format)";
  } else if (type === "number" && format === "float") {
    if (Math.abs(value) < maxFloat32) return [];
    told = " with format float";
  } else return [];
  return [invalid(noPath, "", `${what} value must be of type ${type}${told} in ${path}`)];
}
