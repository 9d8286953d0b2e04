/**
 * Deep-freezes a JSON value in place, and returns the approximate JSON size in bytes of the parts that were not frozen yet. The estimate is
 * good enough to bound the history, and much cheaper than JSON.stringify.
 *
 * Frozen parts are shared with another value and count as zero.
 */
export function freezeNew(value: object): number {
  if (Object.isFrozen(value)) return 0;
  let size = 2;
  if (Array.isArray(value)) for (let index = 0; index < value.length; index++) size += sizeOf(value[index]);
  else {
    const fields = value as Readonly<Record<string, unknown>>;
    for (const key in fields) size += key.length + 3 + sizeOf(fields[key]);
  }
  Object.freeze(value);
  return size;
}

function sizeOf(value: unknown): number {
  if (typeof value === "string") return value.length + 3;
  return typeof value === "object" && value !== null ? freezeNew(value) : 6;
}
