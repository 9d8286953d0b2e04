import type { JsonObject, JsonValue } from "@kubewright/core/json";

/**
 * About how many bytes a value takes as JSON: enough to bound what is kept, at a fraction of the cost of writing it.
 *
 * Objects and lists that it shares with the value that was there before take none.
 */
export function roughSize(value: JsonValue, before?: JsonValue): number {
  if (typeof value === "string") return value.length + 3;
  if (typeof value !== "object" || value === null) return 6;
  if (value === before) return 0;
  const known = typeof before === "object" && before !== null ? (before as JsonObject) : undefined;
  let size = 2;
  if (Array.isArray(value))
    for (let index = 0; index < value.length; index++) size += roughSize(value[index], known?.[index]);
  else for (const key in value) size += key.length + 3 + roughSize((value as JsonObject)[key] ?? null, known?.[key]);
  return size;
}
