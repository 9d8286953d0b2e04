import { readFileSync } from "node:fs";
import { isJsonObject, type JsonObject, type JsonValue } from "@kubewright/core/json";

interface ApiData {
  readonly resources: readonly {
    readonly group: string;
    readonly version: string;
    readonly kind: string;
    readonly schema: string;
  }[];
  readonly schemas: Readonly<Record<string, JsonObject>>;
}

let loaded: ApiData | undefined;

function apiData(): ApiData {
  loaded ??= JSON.parse(
    readFileSync(new URL("../../packages/cluster/data/api.gen.json", import.meta.url), "utf8"),
  ) as ApiData;
  return loaded;
}

/** The published schema of a built-in kind; references are followed by {@link schemaBelow}. */
export function kindSchema(apiVersion: string, kind: string): JsonObject {
  const [group = "", version = ""] = apiVersion.includes("/") ? apiVersion.split("/") : ["", apiVersion];
  const found = apiData().resources.find((one) => one.group === group && one.version === version && one.kind === kind);
  return found === undefined ? {} : (apiData().schemas[found.schema] ?? {});
}

/** A schema with its reference followed. */
export function resolved(schema: JsonValue | undefined): JsonObject {
  if (!isJsonObject(schema)) return {};
  const [wrapped] = Array.isArray(schema["allOf"]) ? (schema["allOf"] as readonly JsonValue[]) : [];
  const reference = schema["$ref"] ?? (isJsonObject(wrapped) ? wrapped["$ref"] : undefined);
  if (typeof reference !== "string") return schema;
  return { ...apiData().schemas[reference], $name: reference };
}

/** The schema of the value at a place. */
export function schemaBelow(schema: JsonObject, place: readonly string[]): JsonObject {
  let here = resolved(schema);
  for (const key of place) {
    const properties = here["properties"];
    if (isJsonObject(properties) && Object.hasOwn(properties, key)) here = resolved(properties[key]);
    else here = resolved(here["items"] ?? here["additionalProperties"]);
  }
  return here;
}
