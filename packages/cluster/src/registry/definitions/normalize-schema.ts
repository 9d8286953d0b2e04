import { type Draft, type DraftValue, draftsIn, isDraft } from "../draft.js";

/** The type of a schema keyword, which decides whether an empty value is dropped. */
type Keyword =
  | "string"
  | "bool"
  | "value"
  | "schema"
  | "schemas"
  | "schemaMap"
  | "schemaOrBool"
  | "schemaOrStrings"
  | "list";

const keywords: Readonly<Record<string, Keyword>> = {
  id: "string",
  $schema: "string",
  $ref: "value",
  description: "string",
  type: "string",
  format: "string",
  title: "string",
  default: "value",
  maximum: "value",
  exclusiveMaximum: "bool",
  minimum: "value",
  exclusiveMinimum: "bool",
  maxLength: "value",
  minLength: "value",
  pattern: "string",
  maxItems: "value",
  minItems: "value",
  uniqueItems: "bool",
  multipleOf: "value",
  enum: "list",
  maxProperties: "value",
  minProperties: "value",
  required: "list",
  items: "schema",
  allOf: "schemas",
  oneOf: "schemas",
  anyOf: "schemas",
  not: "schema",
  properties: "schemaMap",
  additionalProperties: "schemaOrBool",
  patternProperties: "schemaMap",
  dependencies: "schemaOrStrings",
  additionalItems: "schemaOrBool",
  definitions: "schemaMap",
  externalDocs: "value",
  example: "value",
  nullable: "bool",
  "x-kubernetes-preserve-unknown-fields": "value",
  "x-kubernetes-embedded-resource": "bool",
  "x-kubernetes-int-or-string": "bool",
  "x-kubernetes-list-map-keys": "list",
  "x-kubernetes-list-type": "value",
  "x-kubernetes-map-type": "value",
  "x-kubernetes-validations": "list",
};

/**
 * Normalizes a schema in place, as a round trip through Go's `JSONSchemaProps` does: drops unknown keywords (also where the strict decoder
 * does not report them), empty strings, lists and maps, and false booleans.
 */
export function normalizeSchema(schema: Draft): void {
  for (const [key, value] of Object.entries(schema)) {
    const keyword = Object.hasOwn(keywords, key) ? keywords[key] : undefined;
    if (keyword === undefined || value === null || isZero(value, keyword)) delete schema[key];
    else normalizeValue(value, keyword);
  }
}

function isZero(value: DraftValue, keyword: Keyword): boolean {
  switch (keyword) {
    case "string":
      return value === "";
    case "bool":
      return value === false;
    case "list":
    case "schemas":
      return Array.isArray(value) && value.length === 0;
    case "schemaMap":
    case "schemaOrStrings":
      return isDraft(value) && Object.keys(value).length === 0;
    default:
      return false;
  }
}

function normalizeValue(value: DraftValue, keyword: Keyword): void {
  if (keyword === "schemas") for (const one of draftsIn(value)) normalizeSchema(one);
  if (keyword === "schema" || keyword === "schemaOrBool") {
    for (const one of draftsIn(value)) normalizeSchema(one);
    if (isDraft(value)) normalizeSchema(value);
  }
  if ((keyword === "schemaMap" || keyword === "schemaOrStrings") && isDraft(value))
    for (const one of Object.values(value)) if (isDraft(one)) normalizeSchema(one);
}
