import { countCodePoints } from "../syntax/source.js";
import { type CelValue, ListValue, MapValue, OpaqueValue, OptionalValue } from "./value.js";

/** What `size()` is for values that have one, and 1 for all others: the measure of costs. */
export function costSize(value: CelValue): number {
  if (typeof value === "string") return countCodePoints(value);
  if (value instanceof ListValue || value instanceof Uint8Array) return value.length;
  if (value instanceof MapValue) return value.size;
  if (value instanceof OpaqueValue) return value.costSize;
  if (value instanceof OptionalValue && value.value !== undefined) return costSize(value.value);
  return 1;
}

/** The cost of walking over a string: a tenth of its length. */
export const stringFactor = 0.1;
/** The cost of a regular expression: a quarter of its length, for each walk. */
export const patternFactor = 0.25;

/** The cost of walking over a string, bytes, or another value that counts as one. */
export function traversal(value: CelValue): number {
  // Up to ten code points cost 1: most strings need not be counted.
  if (typeof value === "string" && value.length <= 10) return value === "" ? 0 : 1;
  return Math.ceil(costSize(value) * stringFactor);
}
