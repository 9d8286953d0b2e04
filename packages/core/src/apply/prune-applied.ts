import type { JsonObject } from "../json/index.js";
import type { Schema } from "../schema/index.js";
import type { FieldManager } from "./field-managers.js";
import { FieldSet } from "./field-set.js";
import { fieldSetOf, withDeclaredFields } from "./field-set-of.js";
import { inVersion, type KindVersions, type VersionedObject } from "./kind-versions.js";
import { objectSchema } from "./object-schema.js";
import { removeFields } from "./remove-fields.js";

/** Input of {@link pruneApplied}. */
export interface Pruning {
  /** The live object merged with the configuration. */
  readonly merged: JsonObject;
  readonly apiVersion: string;
  /** The schema of that version. */
  readonly schema: Schema;
  /** The fields that the manager applied last, in the version of that apply. */
  readonly last: FieldManager;
  /** All field managers, including this one with its new fields. */
  readonly managers: ReadonlyMap<string, FieldManager>;
  readonly versions: KindVersions | undefined;
}

/**
 * Removes the fields that the manager applied last and no manager owns now.
 *
 * Ownership is evaluated in the version of each manager. As in kube-apiserver, an emptied map or list that is owned or applied itself
 * becomes null.
 */
export function pruneApplied(pruning: Pruning): JsonObject {
  const { merged, last, versions } = pruning;
  if (last.set.isEmpty) return merged;
  // Versions with the same fields need no conversion.
  const converts = versions?.convert !== undefined;
  const schemaOf = (apiVersion: string): Schema | undefined => {
    if (!converts || apiVersion === pruning.apiVersion) return pruning.schema;
    const schema = versions?.schema(apiVersion);
    return schema && objectSchema(schema);
  };
  const lastVersion = converts ? last.apiVersion : pruning.apiVersion;
  const lastSchema = schemaOf(lastVersion);
  // A manager of a removed version owns nothing.
  if (lastSchema === undefined) return merged;
  const whole = inVersion({ object: merged, apiVersion: pruning.apiVersion }, lastVersion, versions);
  const lastSet = withDeclaredFields(last.set, lastSchema);
  let left: VersionedObject = { ...whole, object: removeFields(whole.object, lastSet, lastSchema) };
  for (const [apiVersion, owned] of ownedByVersion(pruning.managers, lastVersion, converts)) {
    const schema = schemaOf(apiVersion);
    if (schema !== undefined)
      left = withOwned(inVersion(whole, apiVersion, versions), inVersion(left, apiVersion, versions), owned, schema);
  }
  // Remove only fields that this manager applied: fields without any owner stay.
  const gone = lostBetween(whole.object, inVersion(left, lastVersion, versions).object, lastSchema).intersection(
    lastSet,
  );
  const pruned = { ...whole, object: removeFields(whole.object, gone, lastSchema) };
  return inVersion(pruned, pruning.apiVersion, versions).object;
}

/** The owned fields by version, the given version first. */
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

/** Restores the owned fields of `whole` in `left`. */
function withOwned(whole: VersionedObject, left: VersionedObject, owned: FieldSet, schema: Schema): VersionedObject {
  const lost = lostBetween(whole.object, left.object, schema).difference(withDeclaredFields(owned, schema));
  return { ...whole, object: removeFields(whole.object, lost, schema) };
}

function lostBetween(whole: JsonObject, left: JsonObject, schema: Schema): FieldSet {
  const fields = (object: JsonObject): FieldSet => withDeclaredFields(fieldSetOf(object, schema), schema);
  return fields(whole).difference(fields(left));
}
