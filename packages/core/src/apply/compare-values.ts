import { deepEqual, getOwn, type JsonValue } from "../json/index.js";
import { fieldSchema, itemSchema, type Schema } from "../schema/index.js";
import { type FieldSet, FieldSetBuilder } from "./field-set.js";
import { elementOf, type MergeShape, mergeShape } from "./merge-shape.js";
import { fieldElement, type PathElement } from "./path-element.js";

/** How one value differs from another. */
export interface Comparison {
  readonly added: FieldSet;
  readonly removed: FieldSet;
  readonly modified: FieldSet;
}

/** Compares two values by their schema, down to what merges as a whole. */
export function compareValues(before: JsonValue, after: JsonValue, schema: Schema | undefined): Comparison {
  const builders = { added: new FieldSetBuilder(), removed: new FieldSetBuilder(), modified: new FieldSetBuilder() };
  compareInner(before, after, schema, builders);
  return {
    added: builders.added.build(),
    removed: builders.removed.build(),
    modified: builders.modified.build(),
  };
}

interface Builders {
  readonly added: FieldSetBuilder;
  readonly removed: FieldSetBuilder;
  readonly modified: FieldSetBuilder;
}

/** Builders for what lies below a step; made when something is found there, which is seldom. */
class BuildersBelow implements Builders {
  readonly #above: Builders;
  readonly #element: PathElement;

  constructor(above: Builders, element: PathElement) {
    this.#above = above;
    this.#element = element;
  }

  get added(): FieldSetBuilder {
    return this.#above.added.below(this.#element);
  }

  get removed(): FieldSetBuilder {
    return this.#above.removed.below(this.#element);
  }

  get modified(): FieldSetBuilder {
    return this.#above.modified.below(this.#element);
  }
}

/** Compares what lies below two values. Tells whether they are one leaf. */
function compareInner(
  before: JsonValue | undefined,
  after: JsonValue | undefined,
  schema: Schema | undefined,
  into: Builders,
): boolean {
  const left = mergeShape(before, schema);
  const right = mergeShape(after, schema);
  if (isEmpty(left) && isEmpty(right)) return true;
  if (left.kind === "map" || right.kind === "map") {
    const leftFields = left.kind === "map" ? left.value : {};
    const rightFields = right.kind === "map" ? right.value : {};
    for (const key of new Set([...Object.keys(leftFields), ...Object.keys(rightFields)])) {
      const fields: [JsonValue | undefined, JsonValue | undefined] = [
        getOwn(leftFields, key),
        getOwn(rightFields, key),
      ];
      compareChild(fields[0], fields[1], fieldSchema(schema, key), fieldElement(key), into);
    }
  }
  if (left.kind === "list" || right.kind === "list") {
    const leftItems = itemsByElement(left);
    const rightItems = itemsByElement(right);
    for (const element of new Set([...leftItems.keys(), ...rightItems.keys()])) {
      compareItems(leftItems.get(element) ?? [], rightItems.get(element) ?? [], itemSchema(schema), element, into);
    }
  }
  // A leaf that became a map, or the other way round, is also a change of the field itself.
  return before !== undefined && after !== undefined && left.kind !== right.kind && !isNullBeside(before, after);
}

function compareChild(
  before: JsonValue | undefined,
  after: JsonValue | undefined,
  schema: Schema | undefined,
  element: PathElement,
  into: Builders,
): void {
  // Parts that a write did not touch are often the very same value.
  if (before === after && before !== undefined) return;
  const isLeaf = compareInner(before, after, schema, new BuildersBelow(into, element));
  if (before === undefined) into.added.addMember(element);
  else if (after === undefined) into.removed.addMember(element);
  else if (isLeaf && !deepEqual(before, after)) into.modified.addMember(element);
}

function compareItems(
  before: readonly JsonValue[],
  after: readonly JsonValue[],
  schema: Schema | undefined,
  element: PathElement,
  into: Builders,
): void {
  if (before.length <= 1 && after.length <= 1) compareChild(before[0], after[0], schema, element, into);
  else if (before.length > 1 && after.length > 1) {
    if (!deepEqual(before, after)) into.modified.addMember(element);
  } else if (before.length > 1) {
    if (after.length > 0) compareChild(undefined, after[0], schema, element, into);
    into.removed.addMember(element);
  } else {
    if (before.length > 0) compareChild(before[0], undefined, schema, element, into);
    into.added.addMember(element);
  }
}

/** Elements by their step; a list that was stored with duplicates has more than one for a step. */
function itemsByElement(shape: MergeShape): Map<PathElement, JsonValue[]> {
  const result = new Map<PathElement, JsonValue[]>();
  if (shape.kind !== "list") return result;
  for (const item of shape.value) {
    const found = elementOf(item, shape.schema);
    if (!("element" in found)) continue;
    const items = result.get(found.element);
    if (items === undefined) result.set(found.element, [item]);
    else items.push(item);
  }
  return result;
}

function isEmpty(shape: MergeShape): boolean {
  return shape.kind === "leaf" || Object.keys(shape.value).length === 0;
}

/** Null beside a map or a list counts as an empty one. */
function isNullBeside(before: JsonValue, after: JsonValue): boolean {
  return before === null || after === null;
}
