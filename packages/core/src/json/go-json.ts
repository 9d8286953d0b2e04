import type { JsonValue } from "./json-value.js";

/** A value as Go writes JSON, in the order of its keys: some characters that JSON allows are escaped all the same. */
export function goJson(value: JsonValue): string {
  return JSON.stringify(value).replace(
    /[<>&\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
