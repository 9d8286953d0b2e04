import { isJsonObject, type JsonValue } from "./json-value.js";

/** A value as Go's `%v` prints it, for kube-apiserver's messages: `map[a:1 b:[x y]]`. */
export function goPrint(value: JsonValue): string {
  if (value === null) return "<nil>";
  if (Array.isArray(value)) return `[${value.map(goPrint).join(" ")}]`;
  if (!isJsonObject(value)) return String(value);
  const fields = Object.keys(value).sort();
  return `map[${fields.map((key) => `${key}:${goPrint(value[key] ?? null)}`).join(" ")}]`;
}
