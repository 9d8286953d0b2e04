import type { JsonObject } from "@kubewright/core/json";
import { objectAt } from "./draft.js";

const nulls = new WeakMap<object, string[]>();

/** The fields of built-in kinds that are maps of bytes. */
const fields = ["data", "binaryData"] as const;

/** Remembers that the bytes under a key of a map were null. They are shown as empty ones, and yet stored as null. */
export function rememberNullBytes(map: JsonObject, key: string): void {
  nulls.set(map, [...(nulls.get(map) ?? []), key]);
}

/** The keys of a map of bytes that were null, and still are empty. */
function nullKeys(map: JsonObject): string[] {
  return (nulls.get(map) ?? []).filter((key) => map[key] === "");
}

/** What is stored of an object that may have null bytes. */
export function withNullBytes(object: JsonObject): JsonObject {
  let stored = object;
  for (const field of fields) {
    const map = objectAt(object, field);
    const keys = nullKeys(map);
    if (keys.length === 0) continue;
    const empty = Object.fromEntries(keys.map((key) => [key, null]));
    stored = { ...stored, [field]: { ...map, ...empty } };
  }
  return stored;
}

/** What is shown of a stored object that may have null bytes; the same object where it has none. */
export function withoutNullBytes(stored: JsonObject): JsonObject {
  let shown = stored;
  for (const field of fields) {
    const keys = storedKeys(stored, field);
    if (keys.length === 0) continue;
    const empty = Object.fromEntries(keys.map((key) => [key, ""]));
    shown = { ...shown, [field]: Object.freeze({ ...objectAt(stored, field), ...empty }) };
  }
  return shown;
}

/** Whether an object or what is stored of it has null bytes: a real server takes them for a change, be they there before or not. */
export function hasNullBytes(object: JsonObject, stored: JsonObject): boolean {
  return fields.some((field) => nullKeys(objectAt(object, field)).length > 0 || storedKeys(stored, field).length > 0);
}

function storedKeys(stored: JsonObject, field: string): string[] {
  const map = objectAt(stored, field);
  const found: string[] = [];
  for (const key in map) if (map[key] === null) found.push(key);
  return found;
}
