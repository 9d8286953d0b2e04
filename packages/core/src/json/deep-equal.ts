/**
 * Whether two JSON values are equal. Ignores the order of keys. Does not descend into identical references. A `bigint` equals a `number` with
 * the same digits in JSON.
 */
export function deepEqual(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return isSameInteger(a, b);
  if (Array.isArray(a)) {
    if (!Array.isArray(b) || a.length !== b.length) return false;
    for (let index = 0; index < a.length; index++) {
      if (!deepEqual(a[index], b[index])) return false;
    }
    return true;
  }
  if (Array.isArray(b)) return false;
  const keys = Object.keys(a);
  if (keys.length !== Object.keys(b).length) return false;
  for (const key of keys) {
    if (!Object.hasOwn(b, key)) return false;
    if (!deepEqual((a as Record<string, unknown>)[key], (b as Record<string, unknown>)[key])) return false;
  }
  return true;
}

/** A `bigint` and the double that a literal with an exponent was read as. */
function isSameInteger(a: unknown, b: unknown): boolean {
  if (typeof a === "bigint") return typeof b === "number" && String(a) === String(b);
  return typeof b === "bigint" && typeof a === "number" && String(a) === String(b);
}
