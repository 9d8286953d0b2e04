import type { JsonObject } from "@kubewright/core/json";

/** Lives as long as the object: what is stored is read far more often than it is written. */
const texts = new WeakMap<JsonObject, string>();

/**
 * The JSON of an object. Of a frozen one, which can no longer change, the text is kept as long as the object is, so that lists, gets,
 * watches and the disk share one.
 */
export function jsonText(object: JsonObject): string {
  const known = texts.get(object);
  if (known !== undefined) return known;
  const text = JSON.stringify(object);
  if (Object.isFrozen(object)) texts.set(object, text);
  return text;
}
