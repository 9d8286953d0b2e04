import { deepEqual } from "@kubewright/core/json";
import type { Schema } from "@kubewright/core/schema";

/** The converted schema of one union option, and its discriminator values. */
export interface UnionOption {
  readonly schema: Schema;
  readonly values: readonly string[];
}

/** Two object schemas cannot be merged: they have different schemas for this field. */
export interface FieldClash {
  readonly field: string;
}

/**
 * Merges a discriminated union into one structural object schema: the fields of all options, and for each discriminator value the required
 * ones. Returns the field when two options have different schemas for it.
 */
export function discriminatedSchema(discriminator: string, options: readonly UnionOption[]): Schema | FieldClash {
  const merged = mergeProperties(options.map(({ schema }) => withoutField(schema, discriminator)));
  if ("field" in merged) return merged;
  const values = [...new Set(options.flatMap((option) => option.values))];
  return {
    type: "object",
    properties: { [discriminator]: { type: "string", enum: values }, ...merged.properties },
    required: [discriminator],
    oneOf: options.map(({ schema, values }) => {
      const required = (schema.required ?? []).filter((name) => name !== discriminator);
      return {
        properties: { [discriminator]: { enum: values } },
        ...(required.length > 0 && { required }),
      };
    }),
  };
}

/** Merges an intersection into one object schema. Returns the field when two schemas differ in it. */
export function intersectedSchema(schemas: readonly Schema[]): Schema | FieldClash {
  const merged = mergeProperties(schemas);
  if ("field" in merged) return merged;
  const required = [...new Set(schemas.flatMap((schema) => schema.required ?? []))];
  const isOpen = schemas.some((schema) => schema["x-kubernetes-preserve-unknown-fields"] === true);
  return {
    type: "object",
    properties: merged.properties,
    ...(required.length > 0 && { required }),
    ...(isOpen && { "x-kubernetes-preserve-unknown-fields": true }),
  };
}

/** Whether a merge failed. */
export function isClash(result: Schema | FieldClash): result is FieldClash {
  return "field" in result;
}

function mergeProperties(
  schemas: readonly Schema[],
): { readonly properties: Readonly<Record<string, Schema>> } | FieldClash {
  const properties: Record<string, Schema> = {};
  for (const schema of schemas)
    for (const [name, property] of Object.entries(schema.properties ?? {})) {
      const known = Object.hasOwn(properties, name) ? properties[name] : undefined;
      if (known !== undefined && !deepEqual(known, property)) return { field: name };
      properties[name] = property;
    }
  return { properties };
}

function withoutField(schema: Schema, field: string): Schema {
  const { [field]: _, ...properties } = schema.properties ?? {};
  return { ...schema, properties };
}
