import { deepestRecursion } from "./deepest-recursion.js";

/**
 * Whether two JSON values are equal, however deep they are. Ignores the order of keys. Does not descend into identical references. A `bigint`
 * equals a `number` with the same digits in JSON.
 */
export function deepEqual(a: unknown, b: unknown): boolean {
  // What a comparison that ended early left behind.
  deeper.length = 0;
  if (!isEqual(a, b, 0)) return false;
  for (let pair = deeper.pop(); pair !== undefined; pair = deeper.pop())
    if (!isEqual(pair[0], pair[1], 0)) return false;
  return true;
}

/** Pairs below the deepest recursion, still to be compared. */
const deeper: [unknown, unknown][] = [];

function isEqual(a: unknown, b: unknown, depth: number): boolean {
  if (a === b) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return isSameInteger(a, b);
  if (depth === deepestRecursion) {
    deeper.push([a, b]);
    return true;
  }
  if (Array.isArray(a)) {
    if (!Array.isArray(b) || a.length !== b.length) return false;
    for (let index = 0; index < a.length; index++) {
      if (!isEqual(a[index], b[index], depth + 1)) return false;
    }
    return true;
  }
  if (Array.isArray(b)) return false;
  const keys = Object.keys(a);
  if (keys.length !== Object.keys(b).length) return false;
  for (const key of keys) {
    if (!Object.hasOwn(b, key)) return false;
    if (!isEqual((a as Record<string, unknown>)[key], (b as Record<string, unknown>)[key], depth + 1)) return false;
  }
  return true;
}

/** A `bigint` and the double that a literal with an exponent was read as. */
function isSameInteger(a: unknown, b: unknown): boolean {
  if (typeof a === "bigint") return typeof b === "number" && String(a) === String(b);
  return typeof b === "bigint" && typeof a === "number" && String(a) === String(b);
}
