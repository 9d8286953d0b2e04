import { deepEqual, getOwn, type JsonObject, type JsonValue } from "../json/index.js";
import type { Schema } from "../schema/index.js";
import { type FieldSet, FieldSetBuilder } from "./field-set.js";
import { fieldStep, itemPlan, type MergePlan, mergePlan } from "./merge-plan.js";
import { elementOf } from "./merge-shape.js";
import type { PathElement } from "./path-element.js";

/** How one value differs from another. */
export interface Comparison {
  readonly added: FieldSet;
  readonly removed: FieldSet;
  readonly modified: FieldSet;
}

/** Compares two values by their schema, down to what merges as a whole. Parts that are the very same value are not looked at. */
export function compareValues(before: JsonValue, after: JsonValue, schema: Schema | undefined): Comparison {
  const builders = { added: new FieldSetBuilder(), removed: new FieldSetBuilder(), modified: new FieldSetBuilder() };
  compareInner(before, after, mergePlan(schema), builders);
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

type Shape = "leaf" | "map" | "list";

/** How a value merges by its plan: as a whole, field by field, or element by element. */
function shapeOf(value: JsonValue | undefined, plan: MergePlan): Shape {
  if (typeof value !== "object" || value === null) return "leaf";
  if (Array.isArray(value)) return plan.isAssociative ? "list" : "leaf";
  return plan.isWhole ? "leaf" : "map";
}

/** Compares what lies below two values. Tells whether they are one leaf. */
function compareInner(
  before: JsonValue | undefined,
  after: JsonValue | undefined,
  plan: MergePlan,
  into: Builders,
): boolean {
  const left = shapeOf(before, plan);
  const right = shapeOf(after, plan);
  if (isEmpty(left, before) && isEmpty(right, after)) return true;
  if (left === "map" || right === "map")
    compareMaps(
      (left === "map" ? before : none) as JsonObject,
      (right === "map" ? after : none) as JsonObject,
      plan,
      into,
    );
  if (left === "list" || right === "list") {
    const leftItems = itemsByElement(left === "list" ? before : undefined, plan);
    const rightItems = itemsByElement(right === "list" ? after : undefined, plan);
    const inner = itemPlan(plan);
    for (const [element, items] of leftItems) compareItems(items, rightItems.get(element) ?? [], inner, element, into);
    for (const [element, items] of rightItems)
      if (!leftItems.has(element)) compareItems([], items, inner, element, into);
  }
  // A leaf that became a map, or the other way round, is also a change of the field itself.
  return before !== undefined && after !== undefined && left !== right && !isNullBeside(before, after);
}

const none: JsonObject = {};

function compareMaps(before: JsonObject, after: JsonObject, plan: MergePlan, into: Builders): void {
  for (const key of Object.keys(before)) compareField(before[key], getOwn(after, key), plan, key, into);
  for (const key of Object.keys(after))
    if (!Object.hasOwn(before, key)) compareField(undefined, after[key], plan, key, into);
}

function compareField(
  before: JsonValue | undefined,
  after: JsonValue | undefined,
  plan: MergePlan,
  key: string,
  into: Builders,
): void {
  // Parts that a write did not touch are often the very same value.
  if (before === after) return;
  const step = fieldStep(plan, key);
  compareChild(before, after, step.plan, step.element, into);
}

function compareChild(
  before: JsonValue | undefined,
  after: JsonValue | undefined,
  plan: MergePlan,
  element: PathElement,
  into: Builders,
): void {
  if (before === after) return;
  const isLeaf =
    (isScalar(before) && isScalar(after)) || compareInner(before, after, plan, new BuildersBelow(into, element));
  if (before === undefined) into.added.addMember(element);
  else if (after === undefined) into.removed.addMember(element);
  else if (isLeaf && !deepEqual(before, after)) into.modified.addMember(element);
}

function compareItems(
  before: readonly JsonValue[],
  after: readonly JsonValue[],
  plan: MergePlan,
  element: PathElement,
  into: Builders,
): void {
  if (before.length <= 1 && after.length <= 1) compareChild(before[0], after[0], plan, element, into);
  else if (before.length > 1 && after.length > 1) {
    if (!deepEqual(before, after)) into.modified.addMember(element);
  } else if (before.length > 1) {
    if (after.length > 0) compareChild(undefined, after[0], plan, element, into);
    into.removed.addMember(element);
  } else {
    if (before.length > 0) compareChild(before[0], undefined, plan, element, into);
    into.added.addMember(element);
  }
}

/** Elements by their step; a list that was stored with duplicates has more than one for a step. */
function itemsByElement(list: JsonValue | undefined, plan: MergePlan): Map<PathElement, JsonValue[]> {
  const result = new Map<PathElement, JsonValue[]>();
  if (!Array.isArray(list) || plan.schema === undefined) return result;
  for (const item of list as readonly JsonValue[]) {
    const found = elementOf(item, plan.schema);
    if (!("element" in found)) continue;
    const items = result.get(found.element);
    if (items === undefined) result.set(found.element, [item]);
    else items.push(item);
  }
  return result;
}

function isScalar(value: JsonValue | undefined): boolean {
  return typeof value !== "object" || value === null;
}

function isEmpty(shape: Shape, value: JsonValue | undefined): boolean {
  return shape === "leaf" || Object.keys(value ?? none).length === 0;
}

/** Null beside a map or a list counts as an empty one. */
function isNullBeside(before: JsonValue, after: JsonValue): boolean {
  return before === null || after === null;
}
