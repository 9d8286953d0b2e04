import { deepEqual, getOwn, type JsonObject, type JsonValue } from "../json/index.js";
import type { Schema } from "../schema/index.js";
import { shapeOf } from "./compare-values.js";
import type { FieldSet } from "./field-set.js";
import { fieldStep, itemPlan, type MergePlan, mergePlan } from "./merge-plan.js";
import { elementOf } from "./merge-shape.js";

/** How many shapes of one kind are remembered, and how long one may be. */
const maxShapes = 256;
const maxLength = 8_192;

interface Shapes {
  readonly before: JsonObject;
  readonly ignoredFields: FieldSet;
  readonly sets: Map<string, FieldSet>;
}

const known = new WeakMap<Schema, Shapes>();

/**
 * What `find` gives for an object that is created, found once for all objects of the same shape.
 *
 * `before` is what an empty object of the kind holds, and must be the same value each time. What `find` gives may depend on which fields the
 * object has, on the keys of its lists, and on which values equal those of `before`, but on nothing else.
 */
export function createdFields({ before, after, schema, ignoredFields }: CreatedObject, find: () => FieldSet): FieldSet {
  let shapes = known.get(schema);
  if (shapes === undefined || shapes.before !== before || shapes.ignoredFields !== ignoredFields) {
    shapes = { before, ignoredFields, sets: new Map() };
    known.set(schema, shapes);
  }
  const { sets } = shapes;
  const shape = fieldsText(before, after, mergePlan(schema));
  if (shape.length > maxLength) return find();
  let set = sets.get(shape);
  if (set === undefined) {
    set = find();
    if (sets.size >= maxShapes) sets.delete(sets.keys().next().value ?? "");
    sets.set(shape, set);
  }
  return set;
}

/** An object that is created, and what tells its fields. */
export interface CreatedObject {
  readonly before: JsonObject;
  readonly after: JsonObject;
  readonly schema: Schema;
  readonly ignoredFields: FieldSet;
}

/** The shape of an object as text: names as marks or with their lengths, so that no two shapes have the same text. */
function fieldsText(before: JsonObject, after: JsonObject, plan: MergePlan): string {
  let text = "";
  for (const key of Object.keys(after)) {
    const step = fieldStep(plan, key);
    text += (step.mark ?? `${key.length}:${key}`) + shapeText(getOwn(before, key), after[key] ?? null, step.plan);
  }
  return text;
}

function shapeText(before: JsonValue | undefined, after: JsonValue, plan: MergePlan): string {
  switch (shapeOf(after, plan)) {
    case "leaf":
      if (before === undefined) return ".";
      return deepEqual(before, after) ? "=" : after === null ? "0" : "!";
    case "map":
      return `{${fieldsText(shapeOf(before, plan) === "map" ? (before as JsonObject) : {}, after as JsonObject, plan)}}`;
    default:
      // No empty object has lists; if one had, everything in them would count.
      return before === undefined ? itemsText(after as readonly JsonValue[], plan) : JSON.stringify(after);
  }
}

function itemsText(items: readonly JsonValue[], plan: MergePlan): string {
  let text = "[";
  for (const item of items) {
    const found = elementOf(item, plan.schema ?? {});
    if ("element" in found)
      text += `${found.element.length}:${found.element}${shapeText(undefined, item, itemPlan(plan))}`;
  }
  return `${text}]`;
}
