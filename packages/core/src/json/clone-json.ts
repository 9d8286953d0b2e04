import { deepestRecursion } from "./deepest-recursion.js";
import { setOwn } from "./own-property.js";

/** A mutable deep copy of a JSON value, which may be frozen, however deep it is. Accepts JSON values only. */
export function cloneJson<T>(value: T): T {
  const copied = copy(value, 0) as T;
  for (let place = deeper.pop(); place !== undefined; place = deeper.pop())
    setOwn(place.parent as Record<string, unknown>, place.key, copy(place.value, 0));
  return copied;
}

/** Where copies below the deepest recursion are still missing; empty between calls. */
const deeper: { readonly parent: object; readonly key: string; readonly value: unknown }[] = [];

function copy(value: unknown, depth: number): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) {
    const items: unknown[] = new Array(value.length);
    for (let index = 0; index < value.length; index++)
      items[index] = depth < deepestRecursion ? copy(value[index], depth + 1) : later(items, `${index}`, value[index]);
    return items;
  }
  const fields: Record<string, unknown> = {};
  for (const key of Object.keys(value)) {
    const field = (value as Readonly<Record<string, unknown>>)[key];
    const isLeaf = typeof field !== "object" || field === null;
    setOwn(fields, key, isLeaf ? field : depth < deepestRecursion ? copy(field, depth + 1) : later(fields, key, field));
  }
  return fields;
}

/** Returns a placeholder, which keeps the order of the keys. */
function later(parent: object, key: string, value: unknown): undefined {
  deeper.push({ parent, key, value });
  return undefined;
}
