import { deepEqual, type JsonObject } from "@kubewright/core/json";
import { type Draft, type DraftValue, metadataOf } from "./draft.js";

/** Fields of metadata that an apply may store without content. */
const fields = ["annotations", "finalizers", "generateName", "labels", "ownerReferences"] as const;

/**
 * Gives metadata that were decoded, and so lost what has no content, these fields back.
 *
 * A real server stores a custom resource that was applied as it was merged. Nobody sees those fields, but the first write after it finds
 * that it would store something else, though it changes nothing.
 */
export function keepHollow(metadata: Draft, merged: JsonObject): void {
  for (const field of fields) {
    const value = merged[field];
    if (metadata[field] === undefined && value !== undefined && isHollow(value as DraftValue))
      metadata[field] = value as DraftValue;
  }
}

/** The object as it is shown: without metadata that have no content. The object itself where there are none. */
export function withoutHollow(object: JsonObject): JsonObject {
  const metadata = metadataOf(object);
  if (hollowFields(metadata).length === 0) return object;
  const entries = Object.entries(metadata).filter(([key]) => !hollowFields(metadata).includes(key));
  return { ...object, metadata: Object.fromEntries(entries) };
}

/** Whether two objects have the same fields without content in their metadata. */
export function isEquallyHollow(object: JsonObject, stored: JsonObject): boolean {
  return deepEqual(hollowOf(metadataOf(object)), hollowOf(metadataOf(stored)));
}

function hollowOf(metadata: JsonObject): JsonObject {
  return Object.fromEntries(hollowFields(metadata).map((field) => [field, metadata[field] ?? null]));
}

function hollowFields(metadata: JsonObject): string[] {
  return fields.filter((field) => isHollow(metadata[field] as DraftValue | undefined));
}

function isHollow(value: DraftValue | undefined): boolean {
  if (value === null || value === "") return true;
  return typeof value === "object" && Object.keys(value).length === 0;
}
