import { type JsonObject, stringifyJson } from "@kubewright/core/json";

/** Approximate size limit of each of the two generations, in characters. */
const generationLimit = 16 * 1024 * 1024;

/**
 * Caches the JSON of frozen objects for lists, gets and watches. Bounded, because the JSON of all objects would take as much memory as the
 * objects.
 *
 * A full young generation replaces the old one. Entries of the old generation that were not read since are dropped.
 */
export class JsonCache {
  #young = new Map<JsonObject, string>();
  #old = new Map<JsonObject, string>();
  #youngSize = 0;

  of(object: JsonObject): string {
    const known = this.#young.get(object);
    if (known !== undefined) return known;
    const text = this.#old.get(object) ?? stringifyJson(object);
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
