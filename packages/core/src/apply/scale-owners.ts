import { isJsonObject, type JsonObject, type JsonValue, setOwn } from "../json/index.js";
import { decodeManagers, encodeManagers, type FieldManager, managedFieldsOf } from "./field-managers.js";
import { FieldSet } from "./field-set.js";

/** Where the owners of an object's replicas are told. */
export interface ScaledObject {
  /** The object, with its `managedFields`. */
  readonly object: JsonObject;
  /** Where the replicas lie in it. */
  readonly replicas: readonly string[];
  readonly apiVersion: string;
}

const scaleVersion = "autoscaling/v1";
const replicasOfScale = FieldSet.of(["spec", "replicas"]);

/** The `managedFields` of an object's Scale: those who own its replicas own those of the Scale. */
export function scaleOwners({ object, replicas }: ScaledObject): JsonObject[] {
  const owned = FieldSet.of(replicas);
  const found = new Map<string, FieldManager>();
  for (const [id, manager] of decodeManagers(managedFieldsOf(object)))
    if (holds(manager, owned)) found.set(id, { ...manager, apiVersion: scaleVersion, set: replicasOfScale });
  return encodeManagers(found);
}

/**
 * The `managedFields` of the object after a write to its Scale, which left the Scale's owners as `entries`.
 *
 * As on a real server, who updated the replicas before keeps them in an entry of its own, without a time: an updater is known by the
 * version that it used, and in that of Scale it is another.
 */
export function ownersAfterScale(
  { object, replicas, apiVersion }: ScaledObject,
  entries: readonly JsonObject[],
): JsonObject[] {
  const owned = FieldSet.of(replicas);
  const before = decodeManagers(managedFieldsOf(object));
  const scale = decodeManagers(entries);
  const found: FieldManager[] = [];
  for (const [id, manager] of before) {
    if (!holds(manager, owned) || scale.delete(id)) found.push(manager);
    else found.push({ ...manager, set: manager.set.difference(owned) });
  }
  for (const [id, manager] of scale)
    if (holds(manager, replicasOfScale)) found.push({ ...manager, apiVersion, set: owned, time: before.get(id)?.time });
  return encodeManagers(
    new Map(found.filter(({ set }) => !set.isEmpty).map((manager, index) => [String(index), manager])),
  );
}

/**
 * Entries whose fields stand in the order of their texts, not of their values: port 443 before port 80.
 *
 * So a real server stores those of a built-in object after a write to its Scale; the next write to the object itself puts them back, and
 * each of the two is a new version though nothing else changed.
 */
export function inOrderOfTexts(entries: readonly JsonObject[]): JsonObject[] {
  return entries.map((entry) => ({ ...entry, fieldsV1: sorted(entry["fieldsV1"] ?? {}) }));
}

function sorted(fields: JsonValue): JsonValue {
  if (!isJsonObject(fields)) return fields;
  const result: Record<string, JsonValue> = {};
  for (const key of Object.keys(fields).sort()) setOwn(result, key, sorted(fields[key] ?? {}));
  return result;
}

function holds({ set }: FieldManager, field: FieldSet): boolean {
  return !set.intersection(field).isEmpty;
}
