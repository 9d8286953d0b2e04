import { type JsonObject, type JsonValue, setOwn } from "../json/index.js";
import { fieldSchema, itemSchema, type Schema } from "../schema/index.js";
import type { FieldSet } from "./field-set.js";
import { elementOf, mergeShape } from "./merge-shape.js";
import { fieldElement } from "./path-element.js";

/** Removes fields from an object. A map or list that becomes empty, and is not itself one of the fields, becomes null. */
export function removeFields(object: JsonObject, fields: FieldSet, schema: Schema | undefined): JsonObject {
  if (fields.isEmpty) return object;
  return removeFromMap(object, fields, schema) ?? {};
}

function remove(value: JsonValue, fields: FieldSet, schema: Schema | undefined): JsonValue | undefined {
  if (fields.isEmpty) return value;
  const shape = mergeShape(value, schema);
  switch (shape.kind) {
    case "map":
      return removeFromMap(shape.value, fields, schema);
    case "list":
      return removeFromList(shape.value, fields, shape.schema);
    default:
      return value;
  }
}

/** Undefined if all fields were removed. */
function removeFromMap(value: JsonObject, fields: FieldSet, schema: Schema | undefined): JsonObject | undefined {
  const result: Record<string, JsonValue> = {};
  let isEmptied = true;
  for (const [key, field] of Object.entries(value)) {
    const element = fieldElement(key);
    if (fields.has(element)) continue;
    isEmptied = false;
    const kept = remove(field, fields.below(element), fieldSchema(schema, key));
    setOwn(result, key, kept ?? null);
  }
  return isEmptied ? undefined : result;
}

/** Undefined if all elements were removed. */
function removeFromList(value: readonly JsonValue[], fields: FieldSet, schema: Schema): JsonValue | undefined {
  const result: JsonValue[] = [];
  for (const item of value) {
    const found = elementOf(item, schema);
    if (!("element" in found)) {
      result.push(item);
      continue;
    }
    if (fields.has(found.element)) continue;
    const kept = remove(item, fields.below(found.element), itemSchema(schema));
    result.push(kept ?? null);
  }
  return result.length === 0 ? undefined : result;
}
