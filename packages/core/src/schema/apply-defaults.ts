import { cloneJson, copyFields, getOwn, isJsonObject, type JsonObject, type JsonValue, setOwn } from "../json/index.js";
import { fieldSchema, itemSchema, keywordOf, structureOf } from "./child-schema.js";
import type { Schema } from "./schema.js";

/**
 * Applies the defaults of a schema to a value, recursively.
 *
 * Null counts as missing if the field has a default and is not nullable. Does not modify its input; returns it if no
 * default applies. Defaults are copied, so that the result may be changed or frozen.
 */
export function applyDefaults(value: JsonValue, schema: Schema | undefined): JsonValue {
  if (schema === undefined) return value;
  if (Array.isArray(value)) {
    const items = itemSchema(schema);
    return mapItems(value, (item) => applyDefaults(item === null ? defaultFor(items, item) : item, items));
  }
  return isJsonObject(value) ? defaultFields(value, schema) : value;
}

/**
 * Drops null fields that are neither nullable nor have a default, as kube-apiserver does.
 *
 * Call it before {@link applyDefaults}. Does not modify its input; returns it if nothing is dropped.
 */
export function dropNulls(value: JsonValue, schema: Schema | undefined): JsonValue {
  if (Array.isArray(value)) return mapItems(value, (item) => dropNulls(item, itemSchema(schema)));
  if (!isJsonObject(value)) return value;
  let fields: Record<string, JsonValue> | undefined;
  for (const [key, field] of Object.entries(value)) {
    const inner = fieldSchema(schema, key);
    if (field === null) {
      if (inner === undefined || isNullable(inner) || keywordOf(inner, "default") !== undefined) continue;
      fields ??= copyFields(value);
      delete fields[key];
      continue;
    }
    const kept = dropNulls(field, inner);
    if (kept === field) continue;
    fields ??= copyFields(value);
    setOwn(fields, key, kept);
  }
  return fields ?? value;
}

function defaultFields(value: JsonObject, schema: Schema): JsonValue {
  let fields: Record<string, JsonValue> | undefined;
  const properties = structureOf(schema)?.properties ?? {};
  for (const [key, property] of Object.entries(properties)) {
    const fallback = keywordOf(property, "default");
    if (fallback === undefined || fallback === null) continue;
    const current = getOwn(value, key);
    if (current !== undefined && (current !== null || isNullable(property))) continue;
    fields ??= copyFields(value);
    setOwn(fields, key, cloneJson(fallback));
  }
  for (const [key, field] of Object.entries(fields ?? value)) {
    const inner = fieldSchema(schema, key);
    const filled = applyDefaults(field === null ? defaultFor(inner, field) : field, inner);
    if (filled === field) continue;
    fields ??= copyFields(value);
    setOwn(fields, key, filled);
  }
  return fields ?? value;
}

function defaultFor(schema: Schema | undefined, value: JsonValue): JsonValue {
  if (schema === undefined || isNullable(schema)) return value;
  const fallback = keywordOf(schema, "default");
  return fallback === undefined ? value : cloneJson(fallback);
}

function isNullable(schema: Schema): boolean {
  return keywordOf(schema, "nullable") === true;
}

function mapItems(items: readonly JsonValue[], change: (item: JsonValue) => JsonValue): JsonValue {
  let result: JsonValue[] | undefined;
  for (const [index, item] of items.entries()) {
    const changed = change(item);
    if (changed === item) continue;
    result ??= [...items];
    result[index] = changed;
  }
  return result ?? items;
}
