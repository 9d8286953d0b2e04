import { type JsonValue, setOwn } from "../json/index.js";
import { fieldSchema, itemSchema, type Schema } from "../schema/index.js";
import type { FieldSet } from "./field-set.js";
import { elementOf, mergeShape } from "./merge-shape.js";
import { fieldElement } from "./path-element.js";

/** The value without the given fields. A map or list that becomes empty by it stays, unless it is one of the fields. */
export function removeFields(value: JsonValue, fields: FieldSet, schema: Schema | undefined): JsonValue {
  if (fields.isEmpty) return value;
  const shape = mergeShape(value, schema);
  if (shape.kind === "map") {
    const result: Record<string, JsonValue> = {};
    for (const [key, field] of Object.entries(shape.value)) {
      const element = fieldElement(key);
      if (fields.has(element)) continue;
      setOwn(result, key, removeFields(field, fields.below(element), fieldSchema(schema, key)));
    }
    return result;
  }
  if (shape.kind === "list") {
    const result: JsonValue[] = [];
    for (const item of shape.value) {
      const found = elementOf(item, shape.schema);
      if (!("element" in found)) {
        result.push(item);
        continue;
      }
      if (fields.has(found.element)) continue;
      result.push(removeFields(item, fields.below(found.element), itemSchema(shape.schema)));
    }
    return result;
  }
  return value;
}
