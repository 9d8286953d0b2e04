import type { Schema } from "./schema.js";

/**
 * Schema keywords that a definition may set with zod's `.meta()`, because zod does not always have a type or check for them. Shared by the
 * conversions between zod schemas and CRDs.
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
