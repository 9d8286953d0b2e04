import type { JsonValue } from "./json-value.js";
import { stringifyJson } from "./stringify-json.js";

/** JSON as Go's encoder writes it, with HTML characters escaped. Keys keep their order. */
export function goJson(value: JsonValue): string {
  return stringifyJson(value).replace(
    /[<>&\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
