import type { JsonValue } from "../json/index.js";
import { fieldSchema, itemSchema, type Schema } from "../schema/index.js";
import { type FieldSet, FieldSetBuilder } from "./field-set.js";
import { elementOf, isDeclared, mergeShape } from "./merge-shape.js";
import { fieldElement, type PathElement } from "./path-element.js";

/**
 * The fields that a value has, by its schema: leaves, list elements, and keys of free maps.
 *
 * Lists and maps that merge as a whole are one leaf. Declared fields with something in them are not members themselves.
 */
export function fieldSetOf(value: JsonValue, schema: Schema | undefined): FieldSet {
  const builder = new FieldSetBuilder();
  collect(value, schema, builder);
  return builder.build();
}

/** Tells whether the value is a leaf itself; collects what lies below it. */
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

/** The same set, with the declared fields on the way to each member as members too. */
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
