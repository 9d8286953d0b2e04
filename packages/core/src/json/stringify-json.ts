import { isJsonObject, type JsonValue } from "./json-value.js";
import { normaliseJson } from "./normalise-json.js";

/**
 * Serializes like `JSON.stringify`, and a `bigint` as its digits. Costs nothing beyond it where no `bigint` occurs.
 *
 * Throws an API_BAD_REQUEST error for a cycle.
 */
export function stringifyJson(value: unknown, indent = 0): string {
  try {
    return JSON.stringify(value, undefined, indent);
  } catch (error) {
    // The error of a bigint, and of a cycle, which `normaliseJson` rejects.
    if (!(error instanceof TypeError)) throw error;
    return write(normaliseJson(value, { maxDepth: Number.POSITIVE_INFINITY }), indent, "\n");
  }
}

function write(value: JsonValue, indent: number, newline: string): string {
  if (typeof value === "bigint") return String(value);
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const inner = `${newline}${" ".repeat(indent)}`;
  const parts = isJsonObject(value)
    ? Object.keys(value).map((key) => {
        const colon = indent === 0 ? ":" : ": ";
        return `${JSON.stringify(key)}${colon}${write(value[key] ?? null, indent, inner)}`;
      })
    : value.map((item) => write(item, indent, inner));
  const [open, close] = isJsonObject(value) ? ["{", "}"] : ["[", "]"];
  if (indent === 0 || parts.length === 0) return `${open}${parts.join(",")}${close}`;
  return `${open}${inner}${parts.join(`,${inner}`)}${newline}${close}`;
}
