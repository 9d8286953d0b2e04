import type { JsonObject } from "../json/index.js";
import { type Changes, changesBetween } from "./changes.js";
import { checkTyped, typedMessage } from "./check-typed.js";
import type { FieldManager } from "./field-managers.js";
import type { FieldSet } from "./field-set.js";
import { inVersion, type KindVersions } from "./kind-versions.js";
import { objectSchema } from "./object-schema.js";
import { TypedError } from "./typed-error.js";

/** The effect of a write on other field managers. */
export interface Ownership {
  readonly managers: Map<string, FieldManager>;
  /** The changed fields that other managers owned. `managers` no longer contains them. */
  readonly contested: readonly { readonly manager: FieldManager; readonly fields: FieldSet }[];
}

/**
 * Removes the fields that a write changed or removed from all managers except `self`.
 *
 * Ownership is evaluated in the version of each manager; managers of removed versions own nothing. Throws a {@link TypedError} if the
 * object has fields that the schema of such a version does not declare.
 */
export function takeOwnership(options: {
  readonly before: JsonObject;
  readonly after: JsonObject;
  /** The changes between them, in the version of the write. */
  readonly changes: Changes;
  readonly apiVersion: string;
  readonly versions: KindVersions | undefined;
  readonly managers: ReadonlyMap<string, FieldManager>;
  /** The id of the writing manager. */
  readonly self: string;
  readonly ignoredFields: FieldSet;
}): Ownership {
  const { self, versions } = options;
  const inVersions = versions && new Map([[options.apiVersion, options.changes]]);
  const managers = new Map<string, FieldManager>();
  const contested: { manager: FieldManager; fields: FieldSet }[] = [];
  for (const [id, manager] of options.managers) {
    if (id === self) {
      managers.set(id, manager);
      continue;
    }
    let changes = inVersions === undefined ? options.changes : inVersions.get(manager.apiVersion);
    if (changes === undefined) {
      changes = changesInVersion(options, manager.apiVersion);
      if (changes === undefined) continue;
      inVersions?.set(manager.apiVersion, changes);
    }
    const { changed, removed } = changes;
    const uncontested = manager.set.difference(changed);
    if (uncontested !== manager.set) contested.push({ manager, fields: manager.set.intersection(changed) });
    const set = uncontested.difference(removed);
    if (!set.isEmpty) managers.set(id, set === manager.set ? manager : { ...manager, set });
  }
  return { managers, contested };
}

/** The changes in another version; undefined if it does not exist. */
function changesInVersion(
  {
    versions,
    apiVersion: from,
    ignoredFields,
    ...objects
  }: Pick<Parameters<typeof takeOwnership>[0], "before" | "after" | "apiVersion" | "versions" | "ignoredFields">,
  apiVersion: string,
): Changes | undefined {
  const schema = versions?.schema(apiVersion);
  if (schema === undefined) return undefined;
  const [before, after] = [objects.before, objects.after].map((object) => {
    const { object: seen } = inVersion({ object, apiVersion: from }, apiVersion, versions);
    // A converted object fits its schema.
    const problems = seen === object ? checkTyped(object, schema, { allowDuplicates: true }) : [];
    if (problems.length > 0) throw new TypedError(typedMessage(problems));
    return seen;
  });
  return changesBetween(before ?? {}, after ?? {}, objectSchema(schema), ignoredFields);
}
