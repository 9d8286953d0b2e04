import { getOwn } from "../json/index.js";
import type { Schema } from "./schema.js";

/**
 * The schema that says what a value is made of.
 *
 * Built-in kinds wrap a reference that carries a default or a description of its own into `allOf` with one member;
 * this looks through such wrappers.
 */
export function structureOf(schema: Schema | undefined): Schema | undefined {
  let current = schema;
  while (current !== undefined && isWrapper(current)) current = current.allOf?.[0];
  return current;
}

function isWrapper(schema: Schema): boolean {
  return (
    schema.allOf?.length === 1 &&
    schema.type === undefined &&
    schema.properties === undefined &&
    schema.items === undefined &&
    schema.additionalProperties === undefined &&
    schema["x-kubernetes-preserve-unknown-fields"] === undefined &&
    schema["x-kubernetes-int-or-string"] === undefined
  );
}

/** One keyword of a schema, from the schema itself or else from what it wraps (see {@link structureOf}). */
export function keywordOf<K extends keyof Schema>(schema: Schema | undefined, keyword: K): Schema[K] | undefined {
  return schema?.[keyword] ?? structureOf(schema)?.[keyword];
}

/** The schema of one field of an object; undefined where the object's schema does not know it. */
export function fieldSchema(schema: Schema | undefined, name: string): Schema | undefined {
  const structure = structureOf(schema);
  const property = structure?.properties && getOwn(structure.properties, name);
  if (property !== undefined) return property;
  const additional = structure?.additionalProperties;
  return typeof additional === "object" ? additional : undefined;
}

/** The schema of a list's elements. */
export function itemSchema(schema: Schema | undefined): Schema | undefined {
  return structureOf(schema)?.items;
}
