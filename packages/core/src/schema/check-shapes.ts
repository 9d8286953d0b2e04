import { isJsonObject, type JsonObject, type JsonValue } from "../json/index.js";
import { type FieldError, forbidden, invalid } from "./field-error.js";
import { childSchemas } from "./schema-children.js";

type Shape = "string" | "boolean" | "number" | "count" | "schema" | "schemas" | "branches" | "strings" | "list" | "any";

/** The expected shape of each keyword's value. */
const shapes: ReadonlyMap<string, Shape> = new Map<string, Shape>([
  ...["type", "title", "description", "format", "pattern", "x-kubernetes-list-type", "x-kubernetes-map-type"].map(
    (keyword) => [keyword, "string"] as const,
  ),
  ...["minimum", "maximum", "multipleOf"].map((keyword) => [keyword, "number"] as const),
  ...["minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties"].map(
    (keyword) => [keyword, "count"] as const,
  ),
  ...["nullable", "exclusiveMinimum", "exclusiveMaximum", "uniqueItems"].map(
    (keyword) => [keyword, "boolean"] as const,
  ),
  ...["x-kubernetes-preserve-unknown-fields", "x-kubernetes-embedded-resource", "x-kubernetes-int-or-string"].map(
    (keyword) => [keyword, "boolean"] as const,
  ),
  ...["allOf", "anyOf", "oneOf"].map((keyword) => [keyword, "branches"] as const),
  ...["required", "x-kubernetes-list-map-keys"].map((keyword) => [keyword, "strings"] as const),
  ...["enum", "x-kubernetes-validations"].map((keyword) => [keyword, "list"] as const),
  ["properties", "schemas"],
  ["not", "schema"],
]);

const shapeNames: Readonly<Record<Shape, string>> = {
  string: "a string",
  boolean: "a boolean",
  number: "a number",
  count: "an integer",
  schema: "a schema",
  schemas: "a map of schemas",
  branches: "a list of schemas",
  strings: "a list of strings",
  list: "a list",
  any: "a value",
};

/** Finds keywords with values of the wrong type, and schemas that are nested too deep. */
export function checkShapes(schema: JsonObject, path: string, maxDepth: number, depth = 0): FieldError[] {
  if (depth > maxDepth) return [forbidden(path, `must not be nested deeper than ${maxDepth} levels`)];
  const errors: FieldError[] = [];
  for (const [keyword, value] of Object.entries(schema)) {
    const shape = shapes.get(keyword) ?? "any";
    if (!hasShape(value, shape)) errors.push(invalid(`${path}.${keyword}`, value, `must be ${shapeNames[shape]}`));
  }
  if (errors.length > 0) return errors;
  for (const [place, child] of childSchemas(schema))
    errors.push(...checkShapes(child, `${path}.${place}`, maxDepth, depth + 1));
  return errors;
}

function hasShape(value: JsonValue, shape: Shape): boolean {
  switch (shape) {
    case "string":
    case "boolean":
    case "number":
      return typeof value === shape;
    case "count":
      return typeof value === "number" && Number.isInteger(value);
    case "schema":
      return isJsonObject(value);
    case "schemas":
      return isJsonObject(value) && Object.values(value).every(isJsonObject);
    case "branches":
      return Array.isArray(value) && value.every(isJsonObject);
    case "strings":
      return Array.isArray(value) && value.every((item) => typeof item === "string");
    case "list":
      return Array.isArray(value);
    default:
      return true;
  }
}
