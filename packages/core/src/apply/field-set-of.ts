import type { JsonValue } from "../json/index.js";
import { fieldSchema, itemSchema, type Schema } from "../schema/index.js";
import { type FieldSet, FieldSetBuilder } from "./field-set.js";
import { elementOf, isDeclared, mergeShape } from "./merge-shape.js";
import { fieldElement, type PathElement } from "./path-element.js";

/**
 * The field set of a value: leaves, list elements, and keys of maps.
 *
 * Atomic lists and maps are leaves. Declared fields with children are not members themselves.
 */
export function fieldSetOf(value: JsonValue, schema: Schema | undefined): FieldSet {
  const builder = new FieldSetBuilder();
  collect(value, schema, builder);
  return builder.build();
}

/** Collects the fields below a value. Returns whether the value itself is a leaf. */
function collect(value: JsonValue, schema: Schema | undefined, into: FieldSetBuilder): boolean {
  const shape = mergeShape(value, schema);
  switch (shape.kind) {
    case "leaf":
      return true;
    case "map":
      for (const [key, field] of Object.entries(shape.value)) {
        const element = fieldElement(key);
        const isLeaf = collect(field, fieldSchema(schema, key), into.below(element));
        if (isLeaf || isEmptyMap(field) || !isDeclared(schema, key)) into.addMember(element);
      }
      return false;
    case "list":
      for (const item of shape.value) {
        const result = elementOf(item, shape.schema);
        if (!("element" in result)) continue;
        collect(item, itemSchema(shape.schema), into.below(result.element));
        into.addMember(result.element);
      }
      return false;
    default:
      return shape satisfies never;
  }
}

/** Adds the declared fields on the path to each member. */
export function withDeclaredFields(set: FieldSet, schema: Schema | undefined): FieldSet {
  const inner = (element: PathElement): Schema | undefined =>
    element.startsWith("f:") ? fieldSchema(schema, element.slice(2)) : itemSchema(schema);
  return set.withMembers(
    (element) => element.startsWith("f:") && isDeclared(schema, element.slice(2)),
    (element, child) => withDeclaredFields(child, inner(element)),
  );
}

function isEmptyMap(value: JsonValue): boolean {
  return typeof value === "object" && value !== null && !Array.isArray(value) && Object.keys(value).length === 0;
}
