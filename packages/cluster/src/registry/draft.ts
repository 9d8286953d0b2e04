import { cloneJson, copyFields, isJsonObject, type JsonObject, type JsonValue, setOwn } from "@kubewright/core/json";
import { isStoredPart } from "./stored-part.js";

/** A mutable JSON object. One caller owns it and may change it in place. */
export interface Draft {
  [key: string]: DraftValue;
}

/** A value inside a {@link Draft}. */
export type DraftValue = null | boolean | number | bigint | string | DraftValue[] | Draft;

/** Whether a value is a draft object. */
export function isDraft(value: DraftValue | undefined): value is Draft {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A mutable deep copy. */
export function draftOf(object: JsonObject): Draft {
  return cloneJson(object) as Draft;
}

/**
 * A draft of the object that results from patching a stored one. Unpatched root fields, and unpatched parts of the metadata and the status,
 * stay frozen. The values of the patch become part of the draft.
 *
 * Frozen parts are decoded, defaulted and valid: no stage checks them again. To change one, replace it. Everything else is mutable.
 */
export function sharedDraft(object: JsonObject): Draft {
  const draft = thawed(object);
  for (const key of Object.keys(draft)) {
    const value = draft[key] ?? null;
    if (key === "metadata" && isDraft(value)) draft[key] = thawed(value);
    else if (key !== "status" && typeof value === "object" && value !== null && !isStoredPart(value))
      setOwn(draft, key, cloneJson(value) as DraftValue);
  }
  return draft;
}

/** The object itself if it is mutable, else a shallow copy. */
function thawed(object: JsonObject): Draft {
  return isStoredPart(object) ? copyFields(object as Draft) : (object as Draft);
}

/** The type under a key of a draft: the declared type in a typed draft, else any draft. */
type Child<Parent, Key extends keyof Parent> = string extends keyof Parent ? Draft : NonNullable<Parent[Key]>;

/** The object under `key`; created if it is absent or not an object. */
export function childDraft<Parent extends Draft, Key extends keyof Parent & string>(
  parent: Parent,
  key: Key,
): Child<Parent, Key> {
  const child = parent[key];
  if (isDraft(child)) return child as Child<Parent, Key>;
  const created: Draft = {};
  (parent as Draft)[key] = created;
  return created as Child<Parent, Key>;
}

/** Deletes `key`. Deleting an absent key is slow, and absence is the common case. */
export function drop<Parent extends Draft>(draft: Parent, key: keyof Parent & string): void {
  if (Object.hasOwn(draft, key)) delete draft[key];
}

/** The objects in a list. */
export function draftsIn(value: DraftValue | undefined): Draft[] {
  return Array.isArray(value) ? value.filter((item): item is Draft => isDraft(item)) : [];
}

/** The object under `key`; empty if there is none. */
export function objectAt(parent: JsonObject, key: string): JsonObject {
  const child = Object.hasOwn(parent, key) ? parent[key] : undefined;
  return isJsonObject(child) ? child : {};
}

/** The string under `key`; empty if there is none. */
export function textAt(parent: JsonObject, key: string): string {
  const value = Object.hasOwn(parent, key) ? parent[key] : undefined;
  return typeof value === "string" ? value : "";
}

/** The list under `key`; empty if there is none. */
export function listAt(parent: JsonObject, key: string): readonly JsonValue[] {
  const value = Object.hasOwn(parent, key) ? parent[key] : undefined;
  return Array.isArray(value) ? value : [];
}

/** The strings in the list under `key`. */
export function textsAt(parent: JsonObject, key: string): string[] {
  return listAt(parent, key).filter((item): item is string => typeof item === "string");
}

/** The metadata of an object; empty if there is none. */
export function metadataOf(object: JsonObject): JsonObject {
  return objectAt(object, "metadata");
}

/**
 * Copies the value under `key` from `old` to `draft`, or deletes it if `old` has none.
 *
 * The value is shared and frozen: nothing below `key` may be changed afterwards.
 */
export function keepFrom<Parent extends Draft>(draft: Parent, old: JsonObject, key: keyof Parent & string): void {
  const value = Object.hasOwn(old, key) ? old[key] : undefined;
  if (value === undefined) drop(draft, key);
  // The only place that puts a frozen value into a draft.
  else draft[key] = value as Parent[typeof key];
}

/** The same value with the keys of every object sorted, as Go encodes maps. */
export function sorted(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return (value as readonly JsonValue[]).map(sorted);
  if (!isJsonObject(value)) return value;
  const result: Record<string, JsonValue> = {};
  for (const key of Object.keys(value).sort()) setOwn(result, key, sorted(value[key] ?? null));
  return result;
}

/** The object under `key`; undefined if there is none. */
export function partAt(parent: JsonObject, key: string): JsonObject | undefined {
  const value = Object.hasOwn(parent, key) ? parent[key] : undefined;
  return isJsonObject(value) ? value : undefined;
}

/** The number under `key`; 0 if there is none. */
export function numberAt(parent: JsonObject, key: string): number {
  return optionalNumber(parent, key) ?? 0;
}

/** The number under `key`, as a double; undefined if there is none. */
export function optionalNumber(parent: JsonObject, key: string): number | undefined {
  const value = Object.hasOwn(parent, key) ? parent[key] : undefined;
  return typeof value === "number" || typeof value === "bigint" ? Number(value) : undefined;
}
