import type { JsonObject } from "@kubewright/core/json";

/** About how many characters each of the two generations can hold. */
const generationLimit = 16 * 1024 * 1024;

/**
 * The JSON of objects. Keeps the string of a frozen object, which can no longer change, for a while, so that lists, gets and watches share
 * it. Not forever: the strings of all objects would take as much memory as the objects.
 *
 * A full young generation becomes the old one, and the strings of the former old one that nothing has read since are dropped.
 */
export class JsonTexts {
  #young = new Map<JsonObject, string>();
  #old = new Map<JsonObject, string>();
  #youngSize = 0;

  of(object: JsonObject): string {
    const known = this.#young.get(object);
    if (known !== undefined) return known;
    const text = this.#old.get(object) ?? JSON.stringify(object);
    if (!Object.isFrozen(object)) return text;
    if (this.#youngSize + text.length > generationLimit) {
      this.#old = this.#young;
      this.#young = new Map();
      this.#youngSize = 0;
    }
    this.#young.set(object, text);
    this.#youngSize += text.length;
    return text;
  }
}
