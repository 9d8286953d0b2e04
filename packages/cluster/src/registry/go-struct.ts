import { createRequire } from "node:module";
import { goJson, isJsonObject, type JsonObject, type JsonValue, setOwn } from "@kubewright/core/json";
import { type FieldError, invalid } from "@kubewright/core/schema";
import { objectAt, sorted } from "./draft.js";

let loaded: Readonly<Record<string, string>> | undefined;

/** What is known of a named type: `= <another>`, or a line for each field; undefined for types that have no fields of their own. */
function definitionOf(type: string): string | undefined {
  // Read when the first refusal quotes one: most programs never ask.
  loaded ??= createRequire(import.meta.url)("#internal-types") as Readonly<Record<string, string>>;
  return Object.hasOwn(loaded, type) ? loaded[type] : undefined;
}

/**
 * A value as a real server's own type (`core.PodSpec`) has it: every field by its name in Go, in Go's order, unset ones with their zero
 * value. Refusals quote objects in this form.
 */
export function goStruct(value: JsonValue | undefined, type: string): JsonValue {
  if (type.startsWith("*")) return value === undefined || value === null ? null : goStruct(value, type.slice(1));
  if (type.startsWith("[]"))
    return Array.isArray(value) ? (value as readonly JsonValue[]).map((item) => goStruct(item, type.slice(2))) : null;
  const map = /^map\[\w+\](.*)$/.exec(type);
  if (map) return isJsonObject(value) ? goMap(value, map[1] ?? "") : null;
  const special = specials[type];
  if (special) return special(value);
  const definition = definitionOf(type);
  if (definition === undefined) return scalar(value, type);
  if (definition.startsWith("= ")) return goStruct(value, definition.slice(2));
  const made: Record<string, JsonValue> = {};
  addFields(made, isJsonObject(value) ? value : {}, definition);
  return made;
}

/** An error about a value, which is quoted in the form of a real server's own type. */
export function invalidStruct(field: string, value: JsonValue, type: string, detail: string): FieldError {
  return { ...invalid(field, value, detail), shown: goJson(goStruct(value, type)) };
}

function addFields(into: Record<string, JsonValue>, value: JsonObject, definition: string): void {
  for (const line of definition === "" ? [] : definition.split("\n")) {
    const [name = "", json = "", type = ""] = line.split(" ");
    if (json !== "-") setOwn(into, name, goStruct(Object.hasOwn(value, json) ? value[json] : undefined, type));
    else if (type === "metav1.ObjectMeta") Object.assign(into, metadataOf(value));
    else addFields(into, value, definitionOf(type) ?? "");
  }
}

/** Metadata have the names that clients know, labels before annotations. */
function metadataOf(value: JsonObject): JsonObject {
  const { labels, annotations, ...rest } = objectAt(value, "metadata");
  return {
    ...(sorted(rest) as JsonObject),
    ...(labels === undefined ? {} : { labels: sorted(labels) }),
    ...(annotations === undefined ? {} : { annotations: sorted(annotations) }),
  };
}

function goMap(map: JsonObject, type: string): JsonObject {
  const made: Record<string, JsonValue> = {};
  for (const key of Object.keys(map).sort()) setOwn(made, key, goStruct(map[key], type));
  return made;
}

function scalar(value: JsonValue | undefined, type: string): JsonValue {
  if (value !== undefined && value !== null) return sorted(value);
  switch (type) {
    case "bool":
      return false;
    case "int32":
    case "int64":
    case "float64":
    case "intstr.IntOrString":
      return 0;
    case "resource.Quantity":
      return "0";
    case "metav1.Time":
    case "interface{}":
      return null;
    default:
      return "";
  }
}

const schema = "apiextensions.JSONSchemaProps";

/** Types whose form is not that of their fields. */
const specials: Readonly<Record<string, (value: JsonValue | undefined) => JsonValue>> = {
  "core.PodSpec": (value) => podSpec(isJsonObject(value) ? value : {}),
  "metav1.LabelSelector": (value) => {
    const { matchLabels, matchExpressions } = isJsonObject(value) ? value : {};
    return {
      ...(matchLabels === undefined ? {} : { matchLabels: sorted(matchLabels) }),
      ...(matchExpressions === undefined ? {} : { matchExpressions: sorted(matchExpressions) }),
    };
  },
  "apiextensions.JSONSchemaPropsOrArray": (value) =>
    Array.isArray(value)
      ? { Schema: null, JSONSchemas: goStruct(value, `[]${schema}`) }
      : { Schema: goStruct(value, schema), JSONSchemas: null },
  "apiextensions.JSONSchemaPropsOrBool": (value) =>
    typeof value === "boolean" ? { Allows: value, Schema: null } : { Allows: true, Schema: goStruct(value, schema) },
  "apiextensions.JSONSchemaPropsOrStringArray": (value) =>
    Array.isArray(value) ? { Schema: null, Property: value } : { Schema: goStruct(value, schema), Property: null },
};

const ofHost = ["hostNetwork", "hostPID", "hostIPC", "shareProcessNamespace", "hostUsers"];

/** Inside of a server, what a pod shares with its host is part of its security. */
function podSpec(spec: JsonObject): JsonValue {
  const shared = Object.fromEntries(ofHost.flatMap((key) => (spec[key] === undefined ? [] : [[key, spec[key]]])));
  const made: Record<string, JsonValue> = {};
  const value = { ...spec, securityContext: { ...objectAt(spec, "securityContext"), ...shared } };
  addFields(made, value, definitionOf("core.PodSpec") ?? "");
  return made;
}
