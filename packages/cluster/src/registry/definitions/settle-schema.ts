import { type Draft, type DraftValue, draftsIn, isDraft } from "../draft.js";

/** What a keyword of a schema holds, which decides whether an empty value is dropped. */
type Keyword =
  | "text"
  | "flag"
  | "value"
  | "schema"
  | "schemas"
  | "schemaMap"
  | "schemaOrFlag"
  | "schemaOrTexts"
  | "list";

const keywords: Readonly<Record<string, Keyword>> = {
  id: "text",
  $schema: "text",
  $ref: "value",
  description: "text",
  type: "text",
  format: "text",
  title: "text",
  default: "value",
  maximum: "value",
  exclusiveMaximum: "flag",
  minimum: "value",
  exclusiveMinimum: "flag",
  maxLength: "value",
  minLength: "value",
  pattern: "text",
  maxItems: "value",
  minItems: "value",
  uniqueItems: "flag",
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
  additionalProperties: "schemaOrFlag",
  patternProperties: "schemaMap",
  dependencies: "schemaOrTexts",
  additionalItems: "schemaOrFlag",
  definitions: "schemaMap",
  externalDocs: "value",
  example: "value",
  nullable: "flag",
  "x-kubernetes-preserve-unknown-fields": "value",
  "x-kubernetes-embedded-resource": "flag",
  "x-kubernetes-int-or-string": "flag",
  "x-kubernetes-list-map-keys": "list",
  "x-kubernetes-list-type": "value",
  "x-kubernetes-map-type": "value",
  "x-kubernetes-validations": "list",
};

/**
 * Brings a schema into the form that Go's type gives it, in place: drops unknown keywords, also where the strict decoder does not look, empty
 * strings, lists and maps, and flags that are false.
 */
export function settleSchema(schema: Draft): void {
  for (const [key, value] of Object.entries(schema)) {
    const keyword = Object.hasOwn(keywords, key) ? keywords[key] : undefined;
    if (keyword === undefined || value === null || isZero(value, keyword)) delete schema[key];
    else settleValue(value, keyword);
  }
}

function isZero(value: DraftValue, keyword: Keyword): boolean {
  switch (keyword) {
    case "text":
      return value === "";
    case "flag":
      return value === false;
    case "list":
    case "schemas":
      return Array.isArray(value) && value.length === 0;
    case "schemaMap":
    case "schemaOrTexts":
      return isDraft(value) && Object.keys(value).length === 0;
    default:
      return false;
  }
}

function settleValue(value: DraftValue, keyword: Keyword): void {
  if (keyword === "schemas") for (const one of draftsIn(value)) settleSchema(one);
  if (keyword === "schema" || keyword === "schemaOrFlag") {
    for (const one of draftsIn(value)) settleSchema(one);
    if (isDraft(value)) settleSchema(value);
  }
  if ((keyword === "schemaMap" || keyword === "schemaOrTexts") && isDraft(value))
    for (const one of Object.values(value)) if (isDraft(one)) settleSchema(one);
}
