import { deepFreeze, isJsonObject, type JsonObject } from "@kubewright/core/json";

/** How many different records are known at once, and how long one may be to be worth it. */
const maxRecords = 4_096;
const maxLength = 8_192;

/**
 * Keeps equal records of managed fields once.
 *
 * Thousands of objects that one program wrote have the same `fieldsV1`, which is more than a third of each. Objects are otherwise untouched.
 */
export class SharedRecords {
  readonly #known = new Map<string, JsonObject>();
  /** Those that are or were kept, to tell them without writing them as text. */
  readonly #own = new WeakSet<JsonObject>();

  /** Replaces each known record in an object's managed fields by the one that is kept already, in place. What is frozen stays as it is. */
  share(object: JsonObject): JsonObject {
    const { metadata } = object;
    const managedFields: unknown = isJsonObject(metadata) ? metadata["managedFields"] : undefined;
    if (!Array.isArray(managedFields) || Object.isFrozen(managedFields)) return object;
    // A frozen entry was stored before and shared then, or is shared by whoever wrote it.
    for (const entry of managedFields as readonly unknown[])
      if (isJsonObject(entry) && !Object.isFrozen(entry)) this.#shareEntry(entry);
    return object;
  }

  #shareEntry(entry: JsonObject): void {
    const { fieldsV1 } = entry;
    if (!isJsonObject(fieldsV1) || this.#own.has(fieldsV1)) return;
    const text = JSON.stringify(fieldsV1);
    if (text.length > maxLength) return;
    let known = this.#known.get(text);
    if (known === undefined) {
      known = deepFreeze(fieldsV1) as JsonObject;
      this.#own.add(known);
      if (this.#known.size >= maxRecords) this.#known.delete(this.#known.keys().next().value ?? "");
      this.#known.set(text, known);
    }
    (entry as { fieldsV1: JsonObject }).fieldsV1 = known;
  }
}
