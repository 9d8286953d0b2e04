import { deepFreeze, isJsonObject, type JsonObject } from "@kubewright/core/json";

/** Maximum number of cached fieldsV1, and the maximum JSON length of one. */
const maxRecords = 4_096;
const maxLength = 8_192;

/**
 * Deduplicates equal `fieldsV1` of managedFields.
 *
 * Thousands of objects that one client wrote have the same `fieldsV1`, which is more than a third of each object.
 */
export class SharedRecords {
  readonly #known = new Map<string, JsonObject>();
  /** Every fieldsV1 that is or was cached, recognised without JSON.stringify. */
  readonly #own = new WeakSet<JsonObject>();

  /** Replaces, in place, each fieldsV1 by the cached equal one. Frozen values stay as they are. */
  share(object: JsonObject): JsonObject {
    const { metadata } = object;
    const managedFields: unknown = isJsonObject(metadata) ? metadata["managedFields"] : undefined;
    if (!Array.isArray(managedFields) || Object.isFrozen(managedFields)) return object;
    // A frozen entry was stored before, and deduplicated then, or its writer shares it.
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
