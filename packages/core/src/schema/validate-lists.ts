import {
  deepEqual,
  getOwn,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  setOwn,
  stringifyJson,
} from "../json/index.js";
import { itemSchema, keywordOf, structureOf } from "./child-schema.js";
import { duplicate, type FieldError, invalid } from "./field-error.js";
import type { Schema } from "./schema.js";

/** Finds duplicate elements in lists of type `set` and `map`. `path` prefixes the paths of the errors. */
export function validateLists(value: JsonValue, schema: Schema | undefined, path: string): FieldError[] {
  if (schema === undefined) return [];
  if (Array.isArray(value)) {
    const errors = duplicatesOf(value, schema, path);
    const items = itemSchema(schema);
    for (const [index, item] of value.entries()) errors.push(...validateLists(item, items, `${path}[${index}]`));
    return errors;
  }
  if (!isJsonObject(value)) return [];
  const structure = structureOf(schema);
  const errors: FieldError[] = [];
  for (const [key, field] of Object.entries(value)) {
    if (typeof field !== "object" || field === null) continue;
    const property = structure?.properties && getOwn(structure.properties, key);
    const additional = structure?.additionalProperties;
    if (property !== undefined) errors.push(...validateLists(field, property, path === "" ? key : `${path}.${key}`));
    else if (typeof additional === "object") errors.push(...validateLists(field, additional, `${path}[${key}]`));
  }
  return errors;
}

function duplicatesOf(list: readonly JsonValue[], schema: Schema, path: string): FieldError[] {
  switch (keywordOf(schema, "x-kubernetes-list-type")) {
    case "set":
      return repeated(list).map((index) => duplicate(`${path}[${index}]`, list[index] ?? null));
    case "map": {
      const stray = list.findIndex((item) => item !== null && !isJsonObject(item));
      if (stray >= 0) {
        return [invalid(`${path}[${stray}]`, list[stray] ?? null, "must be an object for an array of list-type map")];
      }
      const names = keywordOf(schema, "x-kubernetes-list-map-keys") ?? [];
      const keys = list.map((item) => (isJsonObject(item) ? pick(item, names) : {}));
      return repeated(keys).map((index) => duplicate(`${path}[${index}]`, keys[index] ?? {}));
    }
    default:
      return [];
  }
}

/** The element of the old list with the same keys, for lists of type `map`. */
export function correlatedItem(item: JsonValue, schema: Schema, old: JsonValue | undefined): JsonValue | undefined {
  if (schema["x-kubernetes-list-type"] !== "map" || !Array.isArray(old) || !isJsonObject(item)) return undefined;
  const names = schema["x-kubernetes-list-map-keys"] ?? [];
  const key = pick(item, names);
  return old.find((other: JsonValue) => isJsonObject(other) && deepEqual(pick(other, names), key));
}

/** The indices at which a value occurs for the second time. */
function repeated(list: readonly JsonValue[]): number[] {
  const times = new Map<string, number>();
  const result: number[] = [];
  for (const [index, item] of list.entries()) {
    const text = canonical(item);
    const before = times.get(text) ?? 0;
    times.set(text, before + 1);
    if (before === 1) result.push(index);
  }
  return result;
}

function pick(item: JsonObject, names: readonly string[]): JsonObject {
  const result: Record<string, JsonValue> = {};
  for (const name of names) {
    const value = getOwn(item, name);
    if (value !== undefined) setOwn(result, name, value);
  }
  return result;
}

function canonical(value: JsonValue): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (!isJsonObject(value)) return stringifyJson(value);
  const fields = Object.keys(value).sort();
  return `{${fields.map((key) => `${JSON.stringify(key)}:${canonical(value[key] ?? null)}`).join(",")}}`;
}
