import { deepEqual, getOwn, type JsonObject, type JsonValue } from "../json/index.js";
import type { Schema } from "../schema/index.js";
import { type FieldSet, FieldSetBuilder } from "./field-set.js";
import { fieldStep, itemPlan, type MergePlan, mergePlan } from "./merge-plan.js";
import { elementOf } from "./merge-shape.js";
import type { PathElement } from "./path-element.js";

/** The differences between two values. */
export interface Comparison {
  readonly added: FieldSet;
  readonly removed: FieldSet;
  readonly modified: FieldSet;
}

/** Compares two values by their schema, down to leaves and atomic values. Skips identical references. */
export function compareValues(before: JsonValue, after: JsonValue, schema: Schema | undefined): Comparison {
  const root = new RootLevel();
  root.compareInner(before, after, mergePlan(schema));
  return { added: root.added.build(), removed: root.removed.build(), modified: root.modified.build() };
}

/** Compares two values at one path and collects the differences. */
abstract class Level {
  abstract readonly added: FieldSetBuilder;
  abstract readonly removed: FieldSetBuilder;
  abstract readonly modified: FieldSetBuilder;

  /** Compares the children of two values. Returns whether the values themselves must be compared as a leaf. */
  compareInner(before: JsonValue | undefined, after: JsonValue | undefined, plan: MergePlan): boolean {
    const left = shapeOf(before, plan);
    const right = shapeOf(after, plan);
    if (isEmpty(left, before) && isEmpty(right, after)) return true;
    if (left === "map" || right === "map")
      this.#compareMaps(
        (left === "map" ? before : none) as JsonObject,
        (right === "map" ? after : none) as JsonObject,
        plan,
      );
    if (left === "list" || right === "list") {
      const leftItems = itemsByElement(left === "list" ? before : undefined, plan);
      const rightItems = itemsByElement(right === "list" ? after : undefined, plan);
      const inner = itemPlan(plan);
      for (const [element, items] of leftItems)
        this.#compareItems(items, rightItems.get(element) ?? [], inner, element);
      for (const [element, items] of rightItems)
        if (!leftItems.has(element)) this.#compareItems([], items, inner, element);
    }
    // A change between leaf and map or list also modifies the field itself.
    return before !== undefined && after !== undefined && left !== right && !isNullBeside(before, after);
  }

  #compareMaps(before: JsonObject, after: JsonObject, plan: MergePlan): void {
    for (const key of Object.keys(before)) this.#compareField(before[key], getOwn(after, key), plan, key);
    for (const key of Object.keys(after))
      if (!Object.hasOwn(before, key)) this.#compareField(undefined, after[key], plan, key);
  }

  #compareField(before: JsonValue | undefined, after: JsonValue | undefined, plan: MergePlan, key: string): void {
    // Fields that a write did not change are often the same reference.
    if (before === after) return;
    const step = fieldStep(plan, key);
    this.#compareChild(before, after, step.plan, step.element);
  }

  #compareChild(
    before: JsonValue | undefined,
    after: JsonValue | undefined,
    plan: MergePlan,
    element: PathElement,
  ): void {
    if (before === after) return;
    const isLeaf =
      (isScalar(before) && isScalar(after)) || new LevelBelow(this, element).compareInner(before, after, plan);
    if (before === undefined) this.added.addMember(element);
    else if (after === undefined) this.removed.addMember(element);
    else if (isLeaf && !deepEqual(before, after)) this.modified.addMember(element);
  }

  #compareItems(
    before: readonly JsonValue[],
    after: readonly JsonValue[],
    plan: MergePlan,
    element: PathElement,
  ): void {
    if (before.length <= 1 && after.length <= 1) this.#compareChild(before[0], after[0], plan, element);
    else if (before.length > 1 && after.length > 1) {
      if (!deepEqual(before, after)) this.modified.addMember(element);
    } else if (before.length > 1) {
      if (after.length > 0) this.#compareChild(undefined, after[0], plan, element);
      this.removed.addMember(element);
    } else {
      if (before.length > 0) this.#compareChild(before[0], undefined, plan, element);
      this.added.addMember(element);
    }
  }
}

class RootLevel extends Level {
  readonly added = new FieldSetBuilder();
  readonly removed = new FieldSetBuilder();
  readonly modified = new FieldSetBuilder();
}

/** Creates the builders below an element lazily, because differences are rare. */
class LevelBelow extends Level {
  readonly #above: Level;
  readonly #element: PathElement;

  constructor(above: Level, element: PathElement) {
    super();
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

/** How a value merges: atomically, by field, or by element. */
function shapeOf(value: JsonValue | undefined, plan: MergePlan): Shape {
  if (typeof value !== "object" || value === null) return "leaf";
  if (Array.isArray(value)) return plan.isAssociative ? "list" : "leaf";
  return plan.isWhole ? "leaf" : "map";
}

const none: JsonObject = {};

/** Items by path element; a stored list may have duplicates of an element. */
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

/** Null compared with a map or list counts as an empty one. */
function isNullBeside(before: JsonValue, after: JsonValue): boolean {
  return before === null || after === null;
}
