import { deepEqual, isJsonObject, type JsonObject, type JsonValue } from "@kubewright/core/json";
import { listAt, metadataOf } from "./draft.js";

/** Whether two objects differ outside metadata and status. */
export function differsOutsideStatus(object: JsonObject, old: JsonObject): boolean {
  return differsOutside(object, old, ["metadata", "status"]);
}

/** Whether two objects differ outside the named root fields. */
export function differsOutside(object: JsonObject, old: JsonObject, fields: readonly string[]): boolean {
  for (const key in object) if (!fields.includes(key) && !deepEqual(object[key], old[key])) return true;
  for (const key in old) if (!fields.includes(key) && !Object.hasOwn(object, key)) return true;
  return false;
}

/** Whether two objects are equal except for the times in managedFields. */
export function isSame(object: JsonObject, old: JsonObject): boolean {
  if (differsOutside(object, old, ["metadata"])) return false;
  const metadata = metadataOf(object);
  const before = metadataOf(old);
  if (differsOutside(metadata, before, ["managedFields"])) return false;
  const entries = listAt(metadata, "managedFields");
  const entriesBefore = listAt(before, "managedFields");
  return (
    entries.length === entriesBefore.length &&
    entries.every((entry, index) => isSameEntry(entry, entriesBefore[index] ?? null))
  );
}

function isSameEntry(entry: JsonValue, before: JsonValue): boolean {
  if (entry === before) return true;
  if (!isJsonObject(entry) || !isJsonObject(before)) return deepEqual(entry, before);
  // Key order matters: a write to the scale subresource changes it.
  const { fieldsV1 } = entry;
  const isSameSet =
    fieldsV1 === before["fieldsV1"] || JSON.stringify(fieldsV1 ?? {}) === JSON.stringify(before["fieldsV1"] ?? {});
  return isSameSet && !differsOutside(entry, before, ["time", "fieldsV1"]);
}
