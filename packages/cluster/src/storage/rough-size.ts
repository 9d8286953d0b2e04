import type { JsonObject, JsonValue } from "@kubewright/core/json";

/** About how many bytes a value takes as JSON: enough to bound what is kept, at a fraction of the cost of writing it. */
export function roughSize(value: JsonValue): number {
  if (typeof value === "string") return value.length + 3;
  if (typeof value !== "object" || value === null) return 6;
  let size = 2;
  if (Array.isArray(value)) for (let index = 0; index < value.length; index++) size += roughSize(value[index]);
  else for (const key in value) size += key.length + 3 + roughSize((value as JsonObject)[key] ?? null);
  return size;
}
