import { getOwn, isJsonObject, type JsonObject, type JsonValue } from "../json/index.js";
import type { Schema } from "../schema/index.js";
import { changesBetween } from "./changes.js";
import {
  decodeManagers,
  encodeManagers,
  type FieldManager,
  type FieldManagers,
  managedFieldsOf,
  managerId,
  withManagedFields,
} from "./field-managers.js";
import { FieldSet } from "./field-set.js";
import type { KindVersions } from "./kind-versions.js";
import { objectSchema } from "./object-schema.js";
import { takeOwnership } from "./take-ownership.js";
import { TypedError } from "./typed-error.js";

/** A create, update or patch other than apply. */
export interface TrackUpdateOptions {
  /** The live object; undefined for a create. */
  readonly live: JsonObject | undefined;
  /** The object to store, with the `managedFields` of the request, if any. */
  readonly object: JsonObject;
  /** The field manager of the request. */
  readonly manager: string;
  /** In which the fields are written. */
  readonly apiVersion: string;
  /** Undefined where the resource has none: lists are then atomic. */
  readonly schema: Schema | undefined;
  /** The current time, RFC 3339 with seconds. */
  readonly time: string;
  /** Under which the fields are recorded, such as `status`. */
  readonly subresource?: string;
  /** Fields that this endpoint does not write: `FieldSet.of(["status"])` on the main resource. */
  readonly ignoredFields?: FieldSet;
  /** The versions of the kind, in which other managers may own fields. @default all versions have the same fields */
  readonly versions?: KindVersions | undefined;
}

const nothing: JsonObject = {};

/** Maximum number of Update managers of an object, as in Kubernetes. */
const maxUpdateManagers = 10;

/**
 * Updates `metadata.managedFields` of an object: the manager becomes the only owner of the fields that it changed.
 *
 * A request with `managedFields: []` or `[{}]` resets ownership. An unmanaged object stays unmanaged until the first apply. A
 * write without changes changes no entry, not even its time. As in kube-apiserver, all ownership is lost if a manager owns fields
 * in a version whose schema the object does not fit.
 */
export function trackUpdate(options: TrackUpdateOptions): JsonObject {
  return withManagedFields(options.object, updatedManagers(options));
}

/** Only the `metadata.managedFields` of {@link trackUpdate}; undefined for none. */
export function updatedManagers(options: TrackUpdateOptions): readonly JsonObject[] | undefined {
  const { live, subresource = "", ignoredFields = FieldSet.empty } = options;
  const managers = currentManagers(options);
  if (managers.size === 0 && uidOf(live) !== "") return undefined;
  // Most requests do not change managedFields, so that the objects can be compared without removing them.
  const isSame = live !== undefined && managedFieldsOf(live) === managedFieldsOf(options.object);
  const object = isSame ? options.object : withManagedFields(options.object, undefined);
  const update = {
    before: live === undefined ? nothing : isSame ? live : withManagedFields(live, undefined),
    after: object,
    schema: objectSchema(options.schema),
    versions: options.versions,
    managers,
    manager: options.manager,
    apiVersion: options.apiVersion,
    time: options.time,
    subresource,
    ignoredFields,
  };
  try {
    const entries = encodeManagers(capUpdateManagers(recordUpdate(update)));
    return entries.length === 0 ? undefined : entries;
  } catch (error) {
    if (error instanceof TypedError) return undefined;
    throw error;
  }
}

interface Update {
  readonly before: JsonObject;
  readonly after: JsonObject;
  readonly schema: Schema;
  readonly ignoredFields: FieldSet;
  readonly versions: KindVersions | undefined;
  readonly managers: ReadonlyMap<string, FieldManager>;
  readonly manager: string;
  readonly apiVersion: string;
  readonly time: string;
  readonly subresource: string;
}

/** Records an update in the field managers. */
export function recordUpdate(options: Update): Map<string, FieldManager> {
  const { before, after, schema, versions, manager, apiVersion, subresource, time, ignoredFields } = options;
  const changes = changesBetween(before, after, schema, ignoredFields);
  const managers =
    options.managers.size === 0
      ? new Map<string, FieldManager>()
      : takeOwnership({
          before,
          after,
          changes,
          apiVersion,
          versions,
          managers: options.managers,
          self: "",
          ignoredFields,
        }).managers;
  const set = changes.ownable;
  if (set.isEmpty) return managers;
  const writer: FieldManager = {
    manager: manager === "" ? "unknown" : manager,
    operation: "Update",
    apiVersion,
    subresource,
    time,
    set,
  };
  const id = managerId(writer);
  const known = managers.get(id);
  managers.set(id, known === undefined ? writer : { ...writer, set: known.set.union(set) });
  return managers;
}

function currentManagers({ live, object, subresource }: TrackUpdateOptions): Map<string, FieldManager> {
  const given = managedFieldsOf(object);
  if (subresource === undefined || subresource === "") {
    if (isReset(given)) return new Map();
    const managers = decodeOrNone(given);
    if (managers.size > 0) return managers;
  }
  return decodeOrNone(managedFieldsOf(live));
}

function isReset(entries: JsonValue | undefined): boolean {
  if (!Array.isArray(entries)) return false;
  const [first] = entries;
  return first === undefined || (entries.length === 1 && isJsonObject(first) && Object.keys(first).length === 0);
}

/** As in kube-apiserver, malformed managedFields count as none. */
function decodeOrNone(entries: JsonValue | undefined): Map<string, FieldManager> {
  try {
    return decodeManagers(entries);
  } catch {
    return new Map();
  }
}

function uidOf(object: JsonObject | undefined): string {
  const metadata = object && getOwn(object, "metadata");
  const uid = isJsonObject(metadata) ? getOwn(metadata, "uid") : undefined;
  return typeof uid === "string" ? uid : "";
}

/** Merges the oldest Update managers of each version into `ancient-changes`, while there are too many. */
function capUpdateManagers(managers: FieldManagers): FieldManagers {
  if (managers.size <= maxUpdateManagers) return managers;
  const updaters = [...managers].filter(([, manager]) => manager.operation === "Update");
  let count = updaters.length;
  if (count <= maxUpdateManagers) return managers;
  const result = new Map(managers);
  const seconds = (manager: FieldManager): number => (manager.time === undefined ? 0 : Date.parse(manager.time));
  updaters.sort(([idA, a], [idB, b]) => seconds(a) - seconds(b) || (idA < idB ? -1 : 1));
  const firstOfVersion = new Map<string, string>();
  for (const [id, manager] of updaters) {
    if (count <= maxUpdateManagers) break;
    const first = firstOfVersion.get(manager.apiVersion);
    if (first === undefined) {
      firstOfVersion.set(manager.apiVersion, id);
      continue;
    }
    const entry = {
      manager: "ancient-changes",
      operation: "Update" as const,
      apiVersion: manager.apiVersion,
      subresource: "",
    };
    const bucket = managerId(entry);
    const before = result.get(bucket) ?? result.get(first);
    result.delete(first);
    result.delete(id);
    result.set(bucket, { ...entry, time: manager.time, set: manager.set.union(before?.set ?? FieldSet.empty) });
    count--;
  }
  return result;
}
