import { deepEqual } from "@kubewright/core/json";
import type { Schema } from "@kubewright/core/schema";

/** One object of a union, converted, and what its discriminator must be. */
export interface UnionOption {
  readonly schema: Schema;
  readonly values: readonly string[];
}

/** Why objects cannot become one: two of them say different things of one field. */
export interface FieldClash {
  readonly field: string;
}

/**
 * One object schema for a union that a field tells apart, as a structural schema can say it: all fields side by side, and for each value of
 * the discriminator which of them must be there. Gives the field where two options differ in more than whether it is required.
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

/** One object schema for several that must all hold. Gives the field of which two say different things. */
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

/** Tells a clash from a schema. */
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
