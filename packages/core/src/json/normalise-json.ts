import { OperatorError } from "../errors/index.js";
import { jsonInteger } from "./json-integer.js";
import type { JsonValue } from "./json-value.js";
import { setOwn } from "./own-property.js";

/** Limits of {@link normaliseJson}. */
export interface NormaliseLimits {
  /** Maximum nesting depth of arrays and objects. @default 1_000 */
  readonly maxDepth?: number;
}

/**
 * Returns the result of a JSON round trip as a new copy, without serialization.
 *
 * Undefined, functions and symbols are removed from objects and become null in arrays; `toJSON` is called (dates become
 * strings); NaN and infinities become null; -0 becomes 0; integers beyond ±(2^53 − 1) become bigints. Throws an
 * API_BAD_REQUEST error for a cycle, a value nested deeper than `maxDepth`, and for a top-level value without a JSON form (undefined, a function).
 */
export function normaliseJson(value: unknown, { maxDepth = 1_000 }: NormaliseLimits = {}): JsonValue {
  const result = normalise(value, "", { maxDepth, ancestors: [] });
  if (result === undefined) throw rejection(`JSON has no value for ${typeof value}`);
  return result;
}

interface Walk {
  readonly maxDepth: number;
  /** The ancestors of the current object, to detect cycles. */
  readonly ancestors: object[];
}

function normalise(input: unknown, key: string | number, walk: Walk): JsonValue | undefined {
  switch (typeof input) {
    case "string":
    case "boolean":
      return input;
    case "number":
      // Adding zero turns -0 into 0, as JSON does.
      return Number.isSafeInteger(input) ? input + 0 : normaliseNumber(input);
    case "bigint":
      return jsonInteger(input);
    case "object": {
      if (input === null) return null;
      const value = unwrap(input, key);
      return typeof value === "object" && value !== null
        ? normaliseObject(value, key, walk)
        : normalise(value, key, walk);
    }
    default:
      return undefined;
  }
}

function normaliseNumber(value: number): number | bigint | null {
  if (!Number.isFinite(value)) return null;
  // By its digits in JSON, which are not all digits of the double. Beyond 1e21 they have an exponent, and int64 has ended.
  return Number.isInteger(value) && Math.abs(value) < 1e21 ? jsonInteger(BigInt(String(value))) : value;
}

function normaliseObject(value: object, key: string | number, walk: Walk): JsonValue {
  const { ancestors } = walk;
  if (ancestors.includes(value)) throw rejection(`the value at "${key}" contains itself`);
  if (ancestors.length >= walk.maxDepth) throw rejection(`it is nested deeper than ${walk.maxDepth} levels`);
  ancestors.push(value);
  let result: JsonValue;
  if (Array.isArray(value)) {
    const items: JsonValue[] = [];
    for (let index = 0; index < value.length; index++) items.push(normalise(value[index], index, walk) ?? null);
    result = items;
  } else {
    const fields: Record<string, JsonValue> = {};
    for (const name of Object.keys(value)) {
      const field = normalise((value as Record<string, unknown>)[name], name, walk);
      if (field !== undefined) setOwn(fields, name, field);
    }
    result = fields;
  }
  ancestors.pop();
  return result;
}

/** Calls `toJSON` and then unboxes scalars, as JSON.stringify does. */
function unwrap(input: object, key: string | number): unknown {
  const value: unknown = "toJSON" in input && typeof input.toJSON === "function" ? input.toJSON(String(key)) : input;
  // Fast path: plain objects and arrays are not boxed scalars.
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  if (Object.getPrototypeOf(value) === Object.prototype) return value;
  if (value instanceof Number) return Number(value);
  if (value instanceof String) return String(value);
  if (value instanceof Boolean || value instanceof BigInt) return value.valueOf();
  return value;
}

function rejection(why: string): OperatorError {
  return new OperatorError("API_BAD_REQUEST", `Cannot write the value as JSON: ${why}`);
}
