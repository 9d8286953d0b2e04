import type { JsonValue } from "../json/index.js";
import { fieldSchema, itemSchema, keywordOf, type Schema, structureOf } from "../schema/index.js";
import { fieldElement, type PathElement } from "./path-element.js";

/** How a schema has values merged, read off it once: comparing walks over every part of an object with each write. */
export interface MergePlan {
  readonly schema: Schema | undefined;
  /** Objects merge as a whole, not field by field. */
  readonly isWhole: boolean;
  /** Lists merge element by element, not as a whole. */
  readonly isAssociative: boolean;
  /** The keys of a list's elements, with their defaults; none where the elements themselves are the keys. */
  readonly keys: readonly { readonly name: string; readonly default: JsonValue | undefined }[];
  /** The fields that the schema names, as far as they were asked for. */
  readonly fields: Map<string, FieldStep>;
  /** The plan of every field that the schema does not name. */
  unnamed: MergePlan | undefined;
  items: MergePlan | undefined;
}

/** One field of an object. */
export interface FieldStep {
  readonly element: PathElement;
  readonly plan: MergePlan;
}

const plans = new WeakMap<Schema, MergePlan>();

/** The plan of a schema. Without one, objects merge by field and lists as a whole. */
export function mergePlan(schema: Schema | undefined): MergePlan {
  if (schema === undefined) return noPlan;
  let plan = plans.get(schema);
  if (plan === undefined) {
    plan = makePlan(schema);
    plans.set(schema, plan);
  }
  return plan;
}

/** The step to one field of an object. */
export function fieldStep(plan: MergePlan, name: string): FieldStep {
  const known = plan.fields.get(name);
  if (known !== undefined) return known;
  const element = fieldElement(name);
  const properties = structureOf(plan.schema)?.properties;
  if (properties !== undefined && Object.hasOwn(properties, name)) {
    const step = { element, plan: mergePlan(properties[name]) };
    plan.fields.set(name, step);
    return step;
  }
  plan.unnamed ??= mergePlan(fieldSchema(plan.schema, name));
  return { element, plan: plan.unnamed };
}

/** The plan of a list's elements. */
export function itemPlan(plan: MergePlan): MergePlan {
  plan.items ??= mergePlan(itemSchema(plan.schema));
  return plan.items;
}

function makePlan(schema: Schema | undefined): MergePlan {
  const items = itemSchema(schema);
  const keys = schema === undefined ? [] : listKeys(schema);
  return {
    schema,
    isWhole: keywordOf(schema, "x-kubernetes-map-type") === "atomic" || isRaw(schema),
    isAssociative: schema !== undefined && isAssociative(schema),
    keys: keys.map((name) => ({ name, default: keywordOf(fieldSchema(items, name), "default") })),
    fields: new Map(),
    unnamed: undefined,
    items: undefined,
  };
}

const noPlan: MergePlan = makePlan(undefined);

/** Built-in kinds hold raw objects, of which the schema says no more than that they are objects: they merge as a whole. */
function isRaw(schema: Schema | undefined): boolean {
  const structure = structureOf(schema);
  return (
    structure?.type === "object" &&
    structure.properties === undefined &&
    structure.additionalProperties === undefined &&
    structure["x-kubernetes-preserve-unknown-fields"] !== true
  );
}

function isAssociative(schema: Schema): boolean {
  const type = keywordOf(schema, "x-kubernetes-list-type");
  if (type !== undefined) return type === "map" || type === "set";
  // Older built-in lists say it by their patch strategy only.
  return keywordOf(schema, "x-kubernetes-patch-strategy")?.split(",").includes("merge") ?? false;
}

function listKeys(schema: Schema): readonly string[] {
  const type = keywordOf(schema, "x-kubernetes-list-type");
  if (type === "set") return [];
  const keys = keywordOf(schema, "x-kubernetes-list-map-keys");
  if (keys !== undefined) return keys;
  const mergeKey = keywordOf(schema, "x-kubernetes-patch-merge-key");
  return mergeKey === undefined ? [] : [mergeKey];
}
