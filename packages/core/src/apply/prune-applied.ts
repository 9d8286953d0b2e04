import type { JsonObject } from "../json/index.js";
import type { Schema } from "../schema/index.js";
import type { FieldManager } from "./field-managers.js";
import { FieldSet } from "./field-set.js";
import { fieldSetOf, withDeclaredFields } from "./field-set-of.js";
import { inVersion, type KindVersions, type VersionedObject } from "./kind-versions.js";
import { objectSchema } from "./object-schema.js";
import { removeFields } from "./remove-fields.js";

/** What a manager applied and leaves out now. */
export interface Pruning {
  /** The live object with the configuration laid over it. */
  readonly merged: JsonObject;
  readonly apiVersion: string;
  /** The schema of that version. */
  readonly schema: Schema;
  /** What the manager applied last time, in the version of that time. */
  readonly last: FieldManager;
  /** Who owns what now, the manager with what it applies included. */
  readonly managers: ReadonlyMap<string, FieldManager>;
  readonly versions: KindVersions | undefined;
}

/**
 * Removes what the manager applied last time and nobody owns now.
 *
 * What somebody owns is looked at in the version in which it is owned. A map or a list that has nothing left, and is owned or named
 * itself, is null afterwards, as on a real server.
 */
export function pruneApplied(pruning: Pruning): JsonObject {
  const { merged, last, versions } = pruning;
  if (last.set.isEmpty) return merged;
  // Versions with the same fields are as good as one.
  const converts = versions?.convert !== undefined;
  const schemaOf = (apiVersion: string): Schema | undefined => {
    if (!converts || apiVersion === pruning.apiVersion) return pruning.schema;
    const schema = versions?.schema(apiVersion);
    return schema && objectSchema(schema);
  };
  const lastVersion = converts ? last.apiVersion : pruning.apiVersion;
  const lastSchema = schemaOf(lastVersion);
  // A manager of a version that is no more owned nothing.
  if (lastSchema === undefined) return merged;
  const whole = inVersion({ object: merged, apiVersion: pruning.apiVersion }, lastVersion, versions);
  const lastSet = withDeclaredFields(last.set, lastSchema);
  let left: VersionedObject = { ...whole, object: removeFields(whole.object, lastSet, lastSchema) };
  for (const [apiVersion, owned] of ownedByVersion(pruning.managers, lastVersion, converts)) {
    const schema = schemaOf(apiVersion);
    if (schema !== undefined)
      left = withOwned(inVersion(whole, apiVersion, versions), inVersion(left, apiVersion, versions), owned, schema);
  }
  // Only what this manager had applied may go: what nobody owns, nor ever applied, stays.
  const gone = lostBetween(whole.object, inVersion(left, lastVersion, versions).object, lastSchema).intersection(
    lastSet,
  );
  const pruned = { ...whole, object: removeFields(whole.object, gone, lastSchema) };
  return inVersion(pruned, pruning.apiVersion, versions).object;
}

/** What managers own in each version, the given one first. */
function ownedByVersion(
  managers: ReadonlyMap<string, FieldManager>,
  first: string,
  converts: boolean,
): Map<string, FieldSet> {
  const owned = new Map([[first, FieldSet.empty]]);
  for (const { apiVersion, set } of managers.values()) {
    const version = converts ? apiVersion : first;
    owned.set(version, (owned.get(version) ?? FieldSet.empty).union(set));
  }
  return owned;
}

/** What is left, and what of the whole is owned. */
function withOwned(whole: VersionedObject, left: VersionedObject, owned: FieldSet, schema: Schema): VersionedObject {
  const lost = lostBetween(whole.object, left.object, schema).difference(withDeclaredFields(owned, schema));
  return { ...whole, object: removeFields(whole.object, lost, schema) };
}

function lostBetween(whole: JsonObject, left: JsonObject, schema: Schema): FieldSet {
  const fields = (object: JsonObject): FieldSet => withDeclaredFields(fieldSetOf(object, schema), schema);
  return fields(whole).difference(fields(left));
}
