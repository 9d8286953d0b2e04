import type { Comparison } from "./compare-values.js";
import { unowned } from "./field-managers.js";
import type { FieldSet, Rename } from "./field-set.js";
import type { PathElement } from "./path-element.js";

/** What a write changed, as far as the endpoint writes it. */
export interface Changes {
  /** What changed and what came. */
  readonly changed: FieldSet;
  readonly removed: FieldSet;
  /** Of what changed and came, what somebody can own. */
  readonly ownable: FieldSet;
}

/** What a comparison found outside of the fields that an endpoint does not write. */
export function changesOf(comparison: Comparison, ignoredFields: FieldSet): Changes {
  const changed = comparison.modified.union(comparison.added).outside(ignoredFields);
  return { changed, removed: comparison.removed.outside(ignoredFields), ownable: changed.difference(unowned) };
}

/** The same changes with other keys of list elements, each set made when it is asked for: mostly one is enough. */
export class RenamedChanges implements Changes {
  readonly #changes: Changes;
  readonly #renames: ReadonlyMap<PathElement, Rename>;
  #changed: FieldSet | undefined;

  constructor(changes: Changes, renames: ReadonlyMap<PathElement, Rename>) {
    this.#changes = changes;
    this.#renames = renames;
  }

  get changed(): FieldSet {
    this.#changed ??= this.#changes.changed.renamed(this.#renames);
    return this.#changed;
  }

  get removed(): FieldSet {
    return this.#changes.removed.renamed(this.#renames);
  }

  get ownable(): FieldSet {
    const { changed, ownable } = this.#changes;
    return ownable === changed ? this.changed : ownable.renamed(this.#renames);
  }
}
