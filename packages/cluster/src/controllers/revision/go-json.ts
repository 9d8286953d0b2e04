import { isJsonObject, type JsonValue } from "@kubewright/core/json";

/** A value as Go's encoder writes it when it was read without a type: keys sorted, characters of HTML escaped. */
export function goJson(value: JsonValue): string {
  return JSON.stringify(sorted(value)).replace(
    /[<>&\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

function sorted(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isJsonObject(value)) return value;
  // A list of entries, so that keys such as `__proto__` stay keys.
  return Object.fromEntries(
    Object.keys(value)
      .sort()
      .map((key) => [key, sorted(value[key] ?? null)]),
  );
}
