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

/** Input of {@link applyConfiguration}. */
export interface ApplyOptions {
  /** The live object; undefined if there is none. */
  readonly live: JsonObject | undefined;
  /** The fields of an empty object of the kind, which no field manager comes to own. @default none */
  readonly empty?: JsonObject | undefined;
  /** The complete apply configuration. Fields that the manager applied before and omits now are removed. */
  readonly config: JsonObject;
  /** The field manager that applies. */
  readonly manager: string;
  /** In which the fields are written. */
  readonly apiVersion: string;
  /** Takes ownership of conflicting fields instead of returning a conflict. */
  readonly force: boolean;
  /** The merge rules of lists and maps. Without it, objects merge by field and lists are atomic. */
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

/** The new object, or the conflicts with other field managers. */
export type ApplyResult =
  | {
      readonly kind: "applied";
      readonly object: JsonObject;
      /** Whether it differs from the live object, including `managedFields`. */
      readonly changed: boolean;
    }
  | { readonly kind: "conflict"; readonly conflicts: readonly ApplyConflict[] };

/**
 * Server-side apply: merges the configuration into the live object, removes fields that only this manager owned and no longer
 * applies, and updates managedFields.
 *
 * A field that another manager owns is a conflict only if its value would change. Applying the same configuration again
 * changes nothing, not even times. Does not modify its input. Throws an API_BAD_REQUEST error for a configuration with
 * `managedFields`, with list elements that lack their keys or have duplicate keys, and if a manager owns fields in a
 * version whose schema the object does not fit.
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

/** The field managers of the live object. The fields of an object without managedFields belong to `before-first-apply`. */
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
