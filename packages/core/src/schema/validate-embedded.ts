import { isJsonObject, type JsonObject, type JsonValue } from "../json/index.js";
import { fieldSchema, itemSchema } from "./child-schema.js";
import { type FieldError, invalid, required } from "./field-error.js";
import type { Schema } from "./schema.js";

const label = /^[a-z]([-a-z0-9]*[a-z0-9])?$/;
const labelRule =
  "may have mixed case, but should otherwise match: a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')";

/** Validates apiVersion and kind of embedded resources (`x-kubernetes-embedded-resource`). */
export function validateEmbedded(value: JsonValue, schema: Schema | undefined, path: string): FieldError[] {
  if (schema === undefined) return [];
  if (Array.isArray(value))
    return value.flatMap((item: JsonValue, index) => validateEmbedded(item, itemSchema(schema), `${path}[${index}]`));
  if (!isJsonObject(value)) return [];
  const own = schema["x-kubernetes-embedded-resource"] === true ? checkNames(value, path) : [];
  const isMap = typeof schema.additionalProperties === "object";
  const inner = Object.entries(value).flatMap(([key, field]) => {
    const isNamed = !isMap || (schema.properties !== undefined && Object.hasOwn(schema.properties, key));
    return validateEmbedded(field, fieldSchema(schema, key), isNamed ? below(path, key) : `${path}[${key}]`);
  });
  return [...own, ...inner];
}

function checkNames(resource: JsonObject, path: string): FieldError[] {
  return (["apiVersion", "kind"] as const).flatMap((key) => {
    const value = resource[key];
    const at = below(path, key);
    if (value === undefined) return [required(at)];
    if (typeof value !== "string") return [invalid(at, value, "must be a string")];
    if (value === "") return [invalid(at, "", "must not be empty")];
    if (key === "apiVersion")
      return value.split("/").length > 2 ? [invalid(at, value, `unexpected GroupVersion string: ${value}`)] : [];
    return value.length > 63 || !label.test(value.toLowerCase()) ? [invalid(at, value, labelRule)] : [];
  });
}

function below(path: string, key: string): string {
  return path === "" ? key : `${path}.${key}`;
}
