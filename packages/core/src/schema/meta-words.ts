import type { Schema } from "./schema.js";

/**
 * Words of a schema that a definition may say by zod's `.meta()`, because zod has no type or check for them, or not always. Who writes
 * definitions out of schemas, and who reads schemas out of definitions, share this list.
 */
export const metaWords = [
  "title",
  "example",
  "externalDocs",
  "format",
  "pattern",
  "minLength",
  "maxLength",
  "minimum",
  "maximum",
  "exclusiveMinimum",
  "exclusiveMaximum",
  "multipleOf",
  "minItems",
  "maxItems",
  "minProperties",
  "maxProperties",
  "x-kubernetes-list-type",
  "x-kubernetes-list-map-keys",
  "x-kubernetes-map-type",
  "x-kubernetes-embedded-resource",
  "x-kubernetes-preserve-unknown-fields",
  "x-kubernetes-validations",
  "allOf",
  "anyOf",
  "oneOf",
  "not",
] as const satisfies readonly (keyof Schema)[];
