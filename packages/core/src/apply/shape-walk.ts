import { deepEqual, getOwn, type JsonObject, type JsonValue } from "../json/index.js";
import { shapeOf } from "./compare-values.js";
import { fieldStep, itemPlan, type MergePlan } from "./merge-plan.js";
import { keyElement, type PathElement, valueElement } from "./path-element.js";

/** Each element of a list is looked for among the others: longer lists are not worth it. */
const maxItems = 64;

/** The value of a key of a list element. */
export type Key = string | number | boolean;

/** Where in an object the keys of list elements stand. */
export interface Places extends Map<PathElement, Place> {}

interface Place {
  readonly inner: Places;
  /** The names of an element's keys, whose values stand from `first` on; undefined for a field, empty for an element that is its own key. */
  readonly names: readonly string[] | undefined;
  readonly first: number;
}

/** The element of a path for keys of these names, or for a value that is its own key. */
export function elementOf(names: readonly string[], keys: readonly Key[]): PathElement {
  if (names.length === 0) return valueElement(keys[0] ?? null);
  return keyElement(Object.fromEntries(names.map((name, at) => [name, keys[at] ?? null])));
}

/**
 * Writes how two objects differ as a text. Names are marks, or stand with their lengths, and what a value is stands in a place of its own, so
 * that no two shapes have the same text.
 */
export class ShapeWalk {
  readonly keys: Key[] = [];
  /** There are elements without keys, with equal or with strange ones, or a great many: the shape does not tell what is done with them. */
  isOdd = false;

  /** Where `places` are given, those of the keys are put there. */
  fields(before: JsonObject, after: JsonObject, plan: MergePlan, places: Places | undefined): string {
    let text = "";
    if (before !== none)
      for (const key in before) text += this.#field(before[key], getOwn(after, key), plan, key, places);
    for (const key in after)
      if (before === none || !Object.hasOwn(before, key)) text += this.#field(undefined, after[key], plan, key, places);
    return text;
  }

  #field(
    before: JsonValue | undefined,
    after: JsonValue | undefined,
    plan: MergePlan,
    key: string,
    places: Places | undefined,
  ): string {
    if (before === after) return "";
    const step = fieldStep(plan, key);
    // Most values are scalars: what #pair would write of them.
    if (typeof after !== "object" && typeof before !== "object")
      return (step.mark ?? `${key.length}:${key}`) + (before === undefined ? "-." : after === undefined ? ".-" : "..");
    const text = this.#pair(before, after, step.plan, placesBelow(places, step.element, undefined, 0));
    return text === "" ? "" : (step.mark ?? `${key.length}:${key}`) + text;
  }

  #pair(
    before: JsonValue | undefined,
    after: JsonValue | undefined,
    plan: MergePlan,
    places: Places | undefined,
  ): string {
    const left = codeOf(before, plan);
    const right = codeOf(after, plan);
    const isLeft = left === "{" || left === "[";
    const isRight = right === "{" || right === "[";
    if (!isLeft && !isRight) return deepEqual(before, after) ? "" : left + right;
    let inner = "";
    if (left === "{" || right === "{")
      inner = this.fields(
        (left === "{" ? before : none) as JsonObject,
        (right === "{" ? after : none) as JsonObject,
        plan,
        places,
      );
    if (left === "[" || right === "[")
      inner += this.#items(
        (left === "[" ? before : noItems) as readonly JsonValue[],
        (right === "[" ? after : noItems) as readonly JsonValue[],
        plan,
        places,
      );
    return inner === "" && left === right ? "" : `${left}${right}${inner}}`;
  }

  #items(
    before: readonly JsonValue[],
    after: readonly JsonValue[],
    plan: MergePlan,
    places: Places | undefined,
  ): string {
    if (before.length > maxItems || after.length > maxItems) this.isOdd = true;
    if (this.isOdd) return "";
    let text = "";
    for (let index = 0; index < before.length; index++) {
      const item = before[index] ?? null;
      if (indexOf(before, item, plan, index) >= 0) this.isOdd = true;
      text += this.#item(item, after[indexOf(after, item, plan)], plan, places);
    }
    for (let index = 0; index < after.length; index++) {
      const item = after[index] ?? null;
      if (indexOf(after, item, plan, index) >= 0) this.isOdd = true;
      if (indexOf(before, item, plan) < 0) text += this.#item(undefined, item, plan, places);
    }
    return text;
  }

  #item(
    before: JsonValue | undefined,
    after: JsonValue | undefined,
    plan: MergePlan,
    places: Places | undefined,
  ): string {
    if (before === after) return "";
    const first = this.keys.length;
    const item = before ?? after ?? null;
    const names: string[] = [];
    let text = "";
    for (const key of plan.keys) {
      const value = keyOf(item, key);
      text += value === undefined ? "u" : "k";
      if (value === undefined) continue;
      names.push(key.name);
      this.#key(value);
    }
    if (plan.keys.length === 0) this.#key(item);
    else if (names.length === 0) this.isOdd = true;
    if (this.isOdd) return "";
    const element = places === undefined ? "" : elementOf(names, this.keys.slice(first));
    const pair = this.#pair(before, after, itemPlan(plan), placesBelow(places, element, names, first));
    if (pair !== "") return `${text}${pair}`;
    // What is no change needs no key.
    this.keys.length = first;
    places?.delete(element);
    return "";
  }

  #key(value: JsonValue): void {
    if (typeof value === "object") this.isOdd = true;
    else this.keys.push(value);
  }
}

const none: JsonObject = {};
const noItems: readonly JsonValue[] = [];

function placesBelow(
  places: Places | undefined,
  element: PathElement,
  names: readonly string[] | undefined,
  first: number,
): Places | undefined {
  if (places === undefined) return undefined;
  const inner: Places = new Map();
  places.set(element, { inner, names, first });
  return inner;
}

/** What a value is to a comparison: nothing, null, a leaf, or a map or a list with something in it, or without. */
function codeOf(value: JsonValue | undefined, plan: MergePlan): string {
  if (value === undefined) return "-";
  if (value === null) return "0";
  switch (shapeOf(value, plan)) {
    case "leaf":
      return ".";
    case "map":
      return isEmpty(value as JsonObject) ? "e" : "{";
    default:
      return (value as readonly JsonValue[]).length === 0 ? "E" : "[";
  }
}

function isEmpty(object: JsonObject): boolean {
  for (const _ in object) return false;
  return true;
}

function keyOf(item: JsonValue, key: MergePlan["keys"][number]): JsonValue | undefined {
  const value = typeof item === "object" && item !== null ? getOwn(item as JsonObject, key.name) : undefined;
  return value === undefined ? key.default : value;
}

/** Where the first element with the same keys stands, before `end`; -1 for nowhere. */
function indexOf(items: readonly JsonValue[], item: JsonValue, plan: MergePlan, end: number = items.length): number {
  for (let index = 0; index < end; index++) if (hasSameKeys(items[index] ?? null, item, plan)) return index;
  return -1;
}

function hasSameKeys(item: JsonValue, other: JsonValue, { keys }: MergePlan): boolean {
  if (item === other || keys.length === 0) return item === other;
  for (let at = 0; at < keys.length; at++) {
    const key = keys[at];
    if (key !== undefined && keyOf(item, key) !== keyOf(other, key)) return false;
  }
  return true;
}
