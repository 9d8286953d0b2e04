import type { JsonObject } from "../json/index.js";
import type { Schema } from "../schema/index.js";
import { checkTyped, typedMessage } from "./check-typed.js";
import { type Comparison, compareValues } from "./compare-values.js";
import type { FieldManager } from "./field-managers.js";
import type { FieldSet } from "./field-set.js";
import { objectSchema } from "./object-schema.js";
import { TypedError } from "./typed-error.js";

/** The other versions of a kind: its schema in one of them; undefined where there is no such version. */
export type VersionSchemas = (apiVersion: string) => Schema | undefined;

/** What a write did to the fields of other managers. */
export interface Ownership {
  readonly managers: Map<string, FieldManager>;
  /** What changed and what came, as far as the endpoint writes it. */
  readonly changed: FieldSet;
  /** What others own of the fields that changed. Taken from them in `managers`. */
  readonly contested: readonly { readonly manager: FieldManager; readonly fields: FieldSet }[];
}

/**
 * Compares an object before and after a write, and takes from all managers but `self` what changed or went away.
 *
 * What a manager owns is told in its own version: managers of versions that are no more own nothing. Throws a {@link TypedError} where
 * the object has fields that such a version does not know.
 */
export function takeOwnership(options: {
  readonly before: JsonObject;
  readonly after: JsonObject;
  readonly schema: Schema;
  readonly apiVersion: string;
  readonly versions: VersionSchemas | undefined;
  readonly managers: ReadonlyMap<string, FieldManager>;
  /** The id of the manager that writes. */
  readonly self: string;
  readonly ignoredFields: FieldSet;
}): Ownership {
  const { before, after, schema, self, ignoredFields } = options;
  const comparison = compareValues(before, after, schema);
  const own = changesOf(comparison, ignoredFields);
  const changes = new Map([[options.apiVersion, own]]);
  const managers = new Map<string, FieldManager>();
  const contested: { manager: FieldManager; fields: FieldSet }[] = [];
  for (const [id, manager] of options.managers) {
    if (id === self) {
      managers.set(id, manager);
      continue;
    }
    let change = changes.get(manager.apiVersion);
    if (change === undefined) {
      const compared = compareInVersion(before, after, manager.apiVersion, options);
      if (compared === undefined) continue;
      change = changesOf(compared, ignoredFields);
      changes.set(manager.apiVersion, change);
    }
    const { changed, removed } = change;
    const fields = manager.set.intersection(changed);
    if (!fields.isEmpty) contested.push({ manager, fields });
    const set = manager.set.difference(fields).difference(removed);
    if (!set.isEmpty) managers.set(id, set === manager.set ? manager : { ...manager, set });
  }
  return { managers, changed: own.changed, contested };
}

interface Changes {
  readonly changed: FieldSet;
  readonly removed: FieldSet;
}

function changesOf(comparison: Comparison, ignoredFields: FieldSet): Changes {
  return {
    changed: comparison.modified.union(comparison.added).outside(ignoredFields),
    removed: comparison.removed.outside(ignoredFields),
  };
}

/** The same comparison in another version; undefined when it is no more. */
function compareInVersion(
  before: JsonObject,
  after: JsonObject,
  apiVersion: string,
  { versions, schema }: { readonly versions: VersionSchemas | undefined; readonly schema: Schema },
): Comparison | undefined {
  if (versions === undefined) return compareValues(before, after, schema);
  const other = versions(apiVersion);
  if (other === undefined) return undefined;
  for (const object of [before, after]) {
    const problems = checkTyped(object, other, { allowDuplicates: true });
    if (problems.length > 0) throw new TypedError(typedMessage(problems));
  }
  return compareValues(before, after, objectSchema(other));
}
