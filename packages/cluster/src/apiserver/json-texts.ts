import type { JsonObject } from "@kubewright/core/json";

/** About how many characters of text each of the two generations may hold. */
const generationLimit = 16 * 1024 * 1024;

/** What was written out lately: when the young generation is full it becomes the old one, and what nobody asked for since is let go. */
let young = new Map<JsonObject, string>();
let old = new Map<JsonObject, string>();
let youngSize = 0;

/**
 * The JSON of an object. Of a frozen one, which can no longer change, the text is kept for a while, so that lists, gets, watches and the disk
 * share one. Not for ever: the texts of all objects would take as much memory as the objects.
 */
export function jsonText(object: JsonObject): string {
  const known = young.get(object);
  if (known !== undefined) return known;
  const text = old.get(object) ?? JSON.stringify(object);
  if (!Object.isFrozen(object)) return text;
  if (youngSize + text.length > generationLimit) {
    old = young;
    young = new Map();
    youngSize = 0;
  }
  young.set(object, text);
  youngSize += text.length;
  return text;
}
