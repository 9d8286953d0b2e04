import type { JsonObject } from "@kubewright/core/json";

/** The schema of a string. */
export const string: JsonObject = { type: "string" };
/** The schema of an integer. */
export const integer: JsonObject = { type: "integer" };
/** The schema of a boolean. */
export const boolean: JsonObject = { type: "boolean" };
/** The schema of a number. */
export const number: JsonObject = { type: "number" };

/** The schema of an object with these properties. */
export function object(properties: JsonObject, rest: JsonObject = {}): JsonObject {
  return { type: "object", properties, ...rest };
}

/** The schema of an embedded resource with any fields. */
export const embedded: JsonObject = {
  type: "object",
  "x-kubernetes-embedded-resource": true,
  "x-kubernetes-preserve-unknown-fields": true,
};

/** The schema of a map with values of this schema. */
export function mapOf(additionalProperties: JsonObject, rest: JsonObject = {}): JsonObject {
  return { type: "object", additionalProperties, ...rest };
}

/** The schema of a list. */
export function listOf(items: JsonObject, rest: JsonObject = {}): JsonObject {
  return { type: "array", items, ...rest };
}

/** The schema of a list of type set. */
export function setOf(items: JsonObject): JsonObject {
  return listOf(items, { "x-kubernetes-list-type": "set" });
}

/** The schema of a list of type map with these keys. */
export function listByKeys(keys: readonly string[], items: JsonObject): JsonObject {
  return listOf(items, { "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": [...keys] });
}
