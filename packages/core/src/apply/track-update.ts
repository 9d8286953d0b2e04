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

/** A create, an update or a patch that is no apply. */
export interface TrackUpdateOptions {
  /** The stored object; undefined when it is created. */
  readonly live: JsonObject | undefined;
  /** The object as it is to be stored, with the `managedFields` that the request carried, if any. */
  readonly object: JsonObject;
  /** The field manager of the request. */
  readonly manager: string;
  /** In which the fields are written. */
  readonly apiVersion: string;
  /** Undefined where the resource has none: lists are then atomic. */
  readonly schema: Schema | undefined;
  /** Now, RFC 3339 to the second. */
  readonly time: string;
  /** Under which the fields are recorded, such as `status`. */
  readonly subresource?: string;
  /** Fields that this endpoint does not write: `FieldSet.of(["status"])` on the main resource. */
  readonly ignoredFields?: FieldSet;
  /** The kind's versions, where managers may own fields in others. @default all versions have the same fields */
  readonly versions?: KindVersions | undefined;
}

const nothing: JsonObject = {};

/** Kubernetes' own limit of managers that updated an object. */
const maxUpdateManagers = 10;

/**
 * The object with its `metadata.managedFields` brought up to date: the manager owns what it changed, and nobody else does.
 *
 * A request with `managedFields: []` or `[{}]` takes all ownership away. An object that nobody manages stays unmanaged,
 * until it is applied. A write that changes nothing changes no entry, its time included. Where a manager owns fields in a version that
 * cannot describe the object, all ownership is lost, as on a real server.
 */
export function trackUpdate(options: TrackUpdateOptions): JsonObject {
  return withManagedFields(options.object, updatedManagers(options));
}

/** The `metadata.managedFields` of {@link trackUpdate} alone; undefined for none. */
export function updatedManagers(options: TrackUpdateOptions): readonly JsonObject[] | undefined {
  const { live, subresource = "", ignoredFields = FieldSet.empty } = options;
  const managers = currentManagers(options);
  if (managers.size === 0 && uidOf(live) !== "") return undefined;
  // A request mostly leaves the record as it was, and then need not be looked at without it.
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

/** Records an update in the managers. */
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

/** The server takes ownership that it cannot read for none. */
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

/** Merges the oldest update managers of each version into one, while there are too many. */
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
