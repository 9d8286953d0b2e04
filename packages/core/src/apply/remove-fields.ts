import { type JsonObject, type JsonValue, setOwn } from "../json/index.js";
import { fieldSchema, itemSchema, type Schema } from "../schema/index.js";
import type { FieldSet } from "./field-set.js";
import { elementOf, mergeShape } from "./merge-shape.js";
import { fieldElement } from "./path-element.js";

/** What becomes of a map or a list that is empty after the removal, and is not itself one of the fields. */
export type Emptied = "null" | "drop";

/** The object without the given fields. */
export function removeFields(
  object: JsonObject,
  fields: FieldSet,
  schema: Schema | undefined,
  emptied: Emptied,
): JsonObject {
  return removeFromMap(object, fields, schema, emptied) ?? {};
}

function remove(
  value: JsonValue,
  fields: FieldSet,
  schema: Schema | undefined,
  emptied: Emptied,
): JsonValue | undefined {
  if (fields.isEmpty) return value;
  const shape = mergeShape(value, schema);
  switch (shape.kind) {
    case "map":
      return removeFromMap(shape.value, fields, schema, emptied);
    case "list":
      return removeFromList(shape.value, fields, shape.schema, emptied);
    default:
      return value;
  }
}

/** Undefined when all fields were removed. */
function removeFromMap(
  value: JsonObject,
  fields: FieldSet,
  schema: Schema | undefined,
  emptied: Emptied,
): JsonObject | undefined {
  const result: Record<string, JsonValue> = {};
  let isEmptied = true;
  for (const [key, field] of Object.entries(value)) {
    const element = fieldElement(key);
    if (fields.has(element)) continue;
    isEmptied = false;
    const kept = remove(field, fields.below(element), fieldSchema(schema, key), emptied);
    if (kept !== undefined) setOwn(result, key, kept);
    else if (emptied === "null") setOwn(result, key, null);
  }
  return isEmptied ? undefined : result;
}

/** Undefined when all elements were removed. */
function removeFromList(
  value: readonly JsonValue[],
  fields: FieldSet,
  schema: Schema,
  emptied: Emptied,
): JsonValue | undefined {
  const result: JsonValue[] = [];
  for (const item of value) {
    const found = elementOf(item, schema);
    if (!("element" in found)) {
      result.push(item);
      continue;
    }
    if (fields.has(found.element)) continue;
    const kept = remove(item, fields.below(found.element), itemSchema(schema), emptied);
    if (kept !== undefined) result.push(kept);
  }
  return result.length === 0 ? undefined : result;
}
