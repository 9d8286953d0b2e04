import type { JsonObject } from "../json/index.js";
import type { Schema } from "../schema/index.js";
import { type Comparison, compareValues } from "./compare-values.js";
import type { FieldManager } from "./field-managers.js";
import type { FieldSet } from "./field-set.js";

/** What a write did to the fields of other managers. */
export interface Ownership {
  readonly managers: Map<string, FieldManager>;
  readonly comparison: Comparison;
  /** What others own of the fields that changed. Taken from them in `managers`. */
  readonly contested: readonly { readonly manager: FieldManager; readonly fields: FieldSet }[];
}

/** Compares an object before and after a write, and takes from all managers but `self` what changed or went away. */
export function takeOwnership(options: {
  readonly before: JsonObject;
  readonly after: JsonObject;
  readonly schema: Schema;
  readonly managers: ReadonlyMap<string, FieldManager>;
  /** The id of the manager that writes. */
  readonly self: string;
  readonly ignoredFields: FieldSet;
}): Ownership {
  const { before, after, schema, self, ignoredFields } = options;
  const comparison = compareValues(before, after, schema);
  const changed = comparison.modified.union(comparison.added).outside(ignoredFields);
  const removed = comparison.removed.outside(ignoredFields);
  const managers = new Map<string, FieldManager>();
  const contested: { manager: FieldManager; fields: FieldSet }[] = [];
  for (const [id, manager] of options.managers) {
    if (id === self) {
      managers.set(id, manager);
      continue;
    }
    const fields = manager.set.intersection(changed);
    if (!fields.isEmpty) contested.push({ manager, fields });
    const set = manager.set.difference(fields).difference(removed);
    if (!set.isEmpty) managers.set(id, { ...manager, set });
  }
  return { managers, comparison, contested };
}
