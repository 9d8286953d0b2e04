import { isJsonObject, type JsonObject, type JsonValue } from "@kubewright/core/json";

/** The value if it is an object, else an empty object. */
export function asObject(value: JsonValue | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}

/** The entries of the value if it is an object, else none. */
export function entriesOf(value: JsonValue | undefined): [string, JsonValue][] {
  return Object.entries(asObject(value));
}

/** The value if it is a list, else an empty list. */
export function asList(value: JsonValue | undefined): readonly JsonValue[] {
  return Array.isArray(value) ? (value as readonly JsonValue[]) : [];
}
