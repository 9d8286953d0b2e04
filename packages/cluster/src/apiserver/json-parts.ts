import { isJsonObject, type JsonObject, type JsonValue } from "@kubewright/core/json";

/** The value where it is an object, else an empty one. */
export function asObject(value: JsonValue | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}

/** The members of the value where it is an object, else none. */
export function entriesOf(value: JsonValue | undefined): [string, JsonValue][] {
  return Object.entries(asObject(value));
}

/** The value where it is a list, else an empty one. */
export function asList(value: JsonValue | undefined): readonly JsonValue[] {
  return Array.isArray(value) ? (value as readonly JsonValue[]) : [];
}
