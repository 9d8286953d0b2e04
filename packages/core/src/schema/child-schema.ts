import { getOwn } from "../json/index.js";
import type { Schema } from "./schema.js";

/**
 * The schema that defines the structure of a value.
 *
 * Built-in kinds wrap a reference with its own default or description into an `allOf` with one element; this unwraps
 * it.
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

/** A keyword of a schema, or else of the schema that it wraps (see {@link structureOf}). */
export function keywordOf<K extends keyof Schema>(schema: Schema | undefined, keyword: K): Schema[K] | undefined {
  return schema?.[keyword] ?? structureOf(schema)?.[keyword];
}

/** The schema of a field; undefined if the object's schema does not declare it. */
export function fieldSchema(schema: Schema | undefined, name: string): Schema | undefined {
  const structure = structureOf(schema);
  const property = structure?.properties && getOwn(structure.properties, name);
  if (property !== undefined) return property;
  const additional = structure?.additionalProperties;
  return typeof additional === "object" ? additional : undefined;
}

/** The schema of list items. */
export function itemSchema(schema: Schema | undefined): Schema | undefined {
  return structureOf(schema)?.items;
}
