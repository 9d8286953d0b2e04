/**
 * Freezes a JSON value all the way down, in place, and tells about how many bytes what was not frozen takes as JSON: enough to bound what is
 * kept, at a fraction of the cost of writing it.
 *
 * What is frozen already is part of another value, and takes none.
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
