import { cloneJson, deepEqual, type JsonObject, type JsonValue } from "@kubewright/core/json";
import { type Draft, metadataOf } from "./draft.js";
import { decodeObjectMeta } from "./embedded-resources.js";

/** Where a stored object has what an apply left in its metadata without effect. No field of an object is called so. */
const storedKey = "metadata without effect";

/** What the server does not set itself. */
const fields = [
  "annotations",
  "deletionGracePeriodSeconds",
  "deletionTimestamp",
  "finalizers",
  "generateName",
  "labels",
  "ownerReferences",
];

const hollows = new WeakMap<object, JsonObject>();

/**
 * Decodes the metadata of a custom resource that was merged, in place: what has no content goes, and what is no metadata; a null among
 * texts is an empty one.
 *
 * A real server stores such a resource as it was merged. Nobody sees those fields, but a write with them, and the first one after it, finds
 * that it would store something else, though it changes nothing. So they are remembered for {@link withHollow} and {@link isHollow}.
 */
export function decodeMergedMeta(metadata: Draft): void {
  const given = fields.filter((field) => Object.hasOwn(metadata, field));
  const merged: JsonObject = Object.fromEntries(given.map((field) => [field, cloneJson(metadata[field] ?? null)]));
  for (const [key, value] of Object.entries(metadata)) {
    const field = { [key]: value };
    if (decodeObjectMeta(field).problem !== undefined || !Object.hasOwn(field, key)) delete metadata[key];
    else metadata[key] = field[key] ?? null;
  }
  const lost = given.filter((field) => !deepEqual(merged[field], metadata[field]));
  if (lost.length > 0) hollows.set(metadata, Object.fromEntries(lost.map((field) => [field, merged[field] ?? null])));
}

/** The object to store, with what the metadata of `draft` had without effect. */
export function withHollow(stored: JsonObject, draft: JsonObject): JsonObject {
  const hollow = hollowOf(draft);
  return hollow === undefined ? stored : { ...stored, [storedKey]: hollow };
}

/** The object as it was merged: what a client sees that ended it, because nothing of it was stored. */
export function withHollowShown(draft: Draft): JsonObject {
  const hollow = hollowOf(draft);
  return hollow === undefined ? draft : { ...draft, metadata: { ...metadataOf(draft), ...hollow } };
}

/** A stored object without {@link withHollow}'s addition. The object itself where there is none. */
export function withoutHollow(stored: JsonObject): JsonObject {
  if (!Object.hasOwn(stored, storedKey)) return stored;
  const { [storedKey]: _, ...rest } = stored;
  return rest;
}

/** Whether a draft or what is stored of it has something without effect: a real server takes it for a change, be it there before or not. */
export function isHollow(draft: JsonObject, stored: JsonObject): boolean {
  return hollowOf(draft) !== undefined || Object.hasOwn(stored, storedKey);
}

function hollowOf(draft: JsonObject): JsonObject | undefined {
  return hollows.get(metadataOf(draft) satisfies JsonValue as object);
}
