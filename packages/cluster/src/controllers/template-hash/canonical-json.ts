import { isJsonObject, type JsonValue, stringifyJson } from "@kubewright/core/json";

/** JSON with sorted keys and without null, empty lists and empty objects: equal for semantically equal values. */
export function canonicalJson(value: unknown): string {
  return stringifyJson(canonical(value as JsonValue)) ?? "";
}

function canonical(value: JsonValue | undefined): JsonValue | undefined {
  if (value === null) return undefined;
  if (Array.isArray(value)) return value.length === 0 ? undefined : value.map((item) => canonical(item) ?? null);
  if (!isJsonObject(value)) return value;
  // A list of entries, so that keys such as `__proto__` stay keys.
  const entries = Object.keys(value)
    .sort()
    .flatMap((key): [string, JsonValue][] => {
      const inner = canonical(value[key]);
      return inner === undefined ? [] : [[key, inner]];
    });
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}
