import type { JsonObject } from "../json/index.js";
import type { Schema } from "../schema/index.js";
import { compareValues } from "./compare-values.js";
import { unowned } from "./field-managers.js";
import type { FieldSet } from "./field-set.js";

/** The fields that a write changed, except those that its endpoint does not write. */
export interface Changes {
  /** Fields that were added or modified. */
  readonly changed: FieldSet;
  readonly removed: FieldSet;
  /** The part of `changed` that a field manager can own. */
  readonly ownable: FieldSet;
}

/** The changes from `before` to `after`, outside of `ignoredFields`. */
export function changesBetween(
  before: JsonObject,
  after: JsonObject,
  schema: Schema,
  ignoredFields: FieldSet,
): Changes {
  const { added, modified, removed } = compareValues(before, after, schema);
  const changed = modified.union(added).outside(ignoredFields);
  return { changed, removed: removed.outside(ignoredFields), ownable: changed.difference(unowned) };
}
