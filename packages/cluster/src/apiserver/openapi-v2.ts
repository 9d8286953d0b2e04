import { isJsonObject, type JsonObject, type JsonValue } from "@kubewright/core/json";
import { asList, asObject, entriesOf } from "./json-parts.js";

/** Keywords that OpenAPI v2 lacks; kube-apiserver omits them. */
const unsupported = new Set(["allOf", "anyOf", "oneOf", "not", "nullable", "default", "x-kubernetes-validations"]);

/** Prefixes of schema references in v3 and v2. */
const [prefixV3, prefixV2] = ["#/components/schemas/", "#/definitions/"];

/** Converts the OpenAPI v3 documents to one v2 document. */
export function documentV2(documents: readonly JsonObject[], version: string): JsonObject {
  const definitions: Record<string, JsonValue> = {};
  const paths: Record<string, JsonValue> = {};
  for (const document of documents) {
    for (const [name, schema] of entriesOf(asObject(document["components"])["schemas"]))
      definitions[name] = schemaV2(schema);
    for (const [path, item] of entriesOf(document["paths"])) paths[path] = pathV2(asObject(item));
  }
  return {
    swagger: "2.0",
    info: { title: "Kubernetes", version },
    paths: byName(paths),
    definitions: byName(definitions),
    securityDefinitions: {
      BearerToken: { type: "apiKey", name: "authorization", in: "header" },
    },
    security: [{ BearerToken: [] }],
  };
}

/** Converts a schema to v2. Omits what v2 cannot express, so the result allows more, never less. */
function schemaV2(value: JsonValue): JsonValue {
  if (!isJsonObject(value)) return value;
  const reference = referenceOf(value);
  if (reference !== undefined) return { $ref: reference.replace(prefixV3, prefixV2) };
  if (value["format"] === "int-or-string") return { ...rest(value), type: "string" };
  const [scalar] = asList(value["oneOf"]);
  if (value["type"] === undefined && isJsonObject(scalar ?? null) && value["x-kubernetes-int-or-string"] === undefined)
    return { ...rest(value), type: asObject(scalar)["type"] ?? "string" };
  // OpenAPI v2 has neither nullable nor preserve-unknown-fields: omit the type of such a value.
  if (value["nullable"] === true || value["x-kubernetes-preserve-unknown-fields"] === true) return untyped(value);
  return rest(value);
}

function rest(schema: JsonObject): JsonObject {
  const kept: Record<string, JsonValue> = {};
  for (const [key, inner] of Object.entries(schema)) {
    if (unsupported.has(key)) continue;
    if (key === "properties") kept[key] = mapped(asObject(inner), schemaV2);
    else if (key === "items" || key === "additionalProperties") kept[key] = schemaV2(inner);
    else kept[key] = inner;
  }
  const nullable = entriesOf(schema["properties"]).filter(([, property]) => asObject(property)["nullable"] === true);
  const required = asList(schema["required"]).filter((name) => !nullable.some(([other]) => other === name));
  if (required.length === 0) delete kept["required"];
  else kept["required"] = required;
  return kept;
}

function untyped(schema: JsonObject): JsonObject {
  const { type: _, properties: __, items: ___, required: ____, additionalProperties: _____, ...kept } = rest(schema);
  return kept;
}

function referenceOf(schema: JsonObject): string | undefined {
  const [first] = asList(schema["allOf"]);
  const reference = schema["$ref"] ?? (isJsonObject(first ?? null) ? asObject(first)["$ref"] : undefined);
  return typeof reference === "string" ? reference : undefined;
}

const types = ["application/json", "application/yaml"];

function pathV2(item: JsonObject): JsonObject {
  return mapped(item, (value, key) =>
    key === "parameters" ? asList(value).map(parameterV2) : operationV2(asObject(value)),
  );
}

function operationV2(operation: JsonObject): JsonObject {
  const content = asObject(asObject(operation["requestBody"])["content"]);
  const [consumed] = Object.values(content);
  const body = {
    name: "body",
    in: "body",
    required: true,
    schema: schemaV2(asObject(consumed)["schema"] ?? {}),
  };
  const parameters = asList(operation["parameters"]).map(parameterV2);
  const named = Object.keys(content).filter((type) => type !== "*/*");
  return {
    consumes: named.length === 0 ? types : named,
    produces: types,
    schemes: ["https"],
    parameters: consumed === undefined ? parameters : [body, ...parameters],
    responses: mapped(asObject(operation["responses"]), (response) => ({
      description: asObject(response)["description"] ?? "",
      schema: schemaV2(asObject(Object.values(asObject(asObject(response)["content"]))[0])["schema"] ?? {}),
    })),
    "x-kubernetes-action": operation["x-kubernetes-action"] ?? "",
    "x-kubernetes-group-version-kind": operation["x-kubernetes-group-version-kind"] ?? {},
  };
}

function parameterV2(parameter: JsonValue): JsonValue {
  const { schema, ...kept } = asObject(parameter);
  return { ...kept, ...asObject(schema) };
}

function mapped(value: JsonObject, change: (inner: JsonValue, key: string) => JsonValue): JsonObject {
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, change(inner, key)]));
}

function byName(value: Readonly<Record<string, JsonValue>>): JsonObject {
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}
