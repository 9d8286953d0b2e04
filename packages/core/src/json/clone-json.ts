import { setOwn } from "./own-property.js";

/** A mutable deep copy of a JSON value, which may be frozen. Accepts JSON values only. */
export function cloneJson<T>(value: T): T {
  return copy(value) as T;
}

function copy(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) {
    const items: unknown[] = new Array(value.length);
    for (let index = 0; index < value.length; index++) items[index] = copy(value[index]);
    return items;
  }
  const fields: Record<string, unknown> = {};
  for (const key of Object.keys(value)) {
    const field = (value as Readonly<Record<string, unknown>>)[key];
    setOwn(fields, key, typeof field === "object" && field !== null ? copy(field) : field);
  }
  return fields;
}
