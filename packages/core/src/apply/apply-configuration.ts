import { OperatorError } from "../errors/index.js";
import { deepEqual, isJsonObject, type JsonObject } from "../json/index.js";
import type { Schema } from "../schema/index.js";
import { changesBetween } from "./changes.js";
import { type ApplyConflict, conflictsOf } from "./conflict.js";
import {
  decodeManagers,
  encodeManagers,
  type FieldManager,
  managedFieldsOf,
  managerId,
  unowned,
  withManagedFields,
} from "./field-managers.js";
import { FieldSet } from "./field-set.js";
import { fieldSetOf } from "./field-set-of.js";
import type { KindVersions } from "./kind-versions.js";
import { mergeValues } from "./merge-values.js";
import { objectSchema } from "./object-schema.js";
import { pruneApplied } from "./prune-applied.js";
import { takeOwnership } from "./take-ownership.js";
import { recordUpdate } from "./track-update.js";

/** A server-side apply. */
export interface ApplyOptions {
  /** The stored object; undefined when there is none. */
  readonly live: JsonObject | undefined;
  /** What an object of the kind holds when nobody has set anything; nobody comes to own that. @default nothing */
  readonly empty?: JsonObject | undefined;
  /** What the manager wants, complete: what it applied before and leaves out now, goes. */
  readonly config: JsonObject;
  /** The field manager that applies. */
  readonly manager: string;
  /** In which the fields are written. */
  readonly apiVersion: string;
  /** Takes fields from other managers instead of giving a conflict. */
  readonly force: boolean;
  /** How lists and maps merge. Without it, objects merge by field and lists are replaced. */
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

/** The new object, or who stands in the way. */
export type ApplyResult =
  | {
      readonly kind: "applied";
      readonly object: JsonObject;
      /** Whether it differs from the live object, `managedFields` included. */
      readonly changed: boolean;
    }
  | { readonly kind: "conflict"; readonly conflicts: readonly ApplyConflict[] };

/**
 * Server-side apply: lays the configuration over the live object, removes what only this manager owned and no longer
 * applies, and records who owns what.
 *
 * A field that another manager owns is a conflict only if its value would change. Applying the same again changes
 * nothing, times included. Changes no input. Throws an API_BAD_REQUEST error for a configuration that carries `managedFields`, or whose
 * lists have elements without keys or with equal keys, and where a manager owns fields in a version that cannot describe the object.
 */
export function applyConfiguration(options: ApplyOptions): ApplyResult {
  const { config, force, subresource = "", ignoredFields = FieldSet.empty } = options;
  const given = managedFieldsOf(config);
  if (given !== undefined && given !== null) {
    throw new OperatorError("API_BAD_REQUEST", "metadata.managedFields must be nil");
  }
  const schema = objectSchema(options.schema);
  const before = options.live === undefined ? {} : withManagedFields(options.live, undefined);
  const managers = knownManagers(options, before, schema);
  const entry = { manager: options.manager, operation: "Apply" as const, apiVersion: options.apiVersion, subresource };
  const self = managerId(entry);
  const last = managers.get(self);

  const merged = asObject(mergeValues(before, config, schema));
  const set = fieldSetOf(config, schema).outside(ignoredFields);
  managers.set(self, { time: last?.time, set, ...entry });
  const { apiVersion, versions } = options;
  const after = last === undefined ? merged : pruneApplied({ merged, apiVersion, schema, last, managers, versions });
  const ownership = takeOwnership({
    before,
    after,
    changes: changesBetween(before, after, schema, ignoredFields),
    apiVersion,
    versions,
    managers,
    self,
    ignoredFields,
  });
  if (!force && ownership.contested.length > 0) {
    return { kind: "conflict", conflicts: conflictsOf(ownership.contested) };
  }

  const isSame = deepEqual(before, after);
  const owned = set.difference(unowned);
  if (owned.isEmpty) ownership.managers.delete(self);
  else ownership.managers.set(self, { time: isSame ? last?.time : options.time, set: owned, ...entry });
  const entries = encodeManagers(ownership.managers);
  if (options.live !== undefined && isSame && deepEqual(entries, managedFieldsOf(options.live) ?? []))
    return { kind: "applied", object: options.live, changed: false };
  return { kind: "applied", object: withManagedFields(isSame ? before : after, entries), changed: true };
}

const nothing: JsonObject = {};

/** Who owns what so far. What stands in an object that nobody manages belongs to `before-first-apply`. */
function knownManagers(options: ApplyOptions, before: JsonObject, schema: Schema): Map<string, FieldManager> {
  const managers = decodeManagers(managedFieldsOf(options.live));
  if (managers.size > 0 || options.live === undefined) return managers;
  return recordUpdate({
    before: options.empty ?? nothing,
    after: before,
    schema,
    versions: options.versions,
    managers,
    manager: "before-first-apply",
    apiVersion: options.apiVersion,
    time: options.time,
    subresource: options.subresource ?? "",
    ignoredFields: options.ignoredFields ?? FieldSet.empty,
  });
}

function asObject(value: unknown): JsonObject {
  return isJsonObject(value) ? value : {};
}
