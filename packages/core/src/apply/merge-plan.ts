import type { JsonValue } from "../json/index.js";
import { fieldSchema, itemSchema, keywordOf, type Schema, structureOf } from "../schema/index.js";
import { fieldElement, type PathElement } from "./path-element.js";

/** The merge rules of a schema, computed once, because each write compares every part of an object. */
export interface MergePlan {
  readonly schema: Schema | undefined;
  /** Objects are atomic and do not merge by field. */
  readonly isWhole: boolean;
  /** Lists are associative and merge by element. */
  readonly isAssociative: boolean;
  /** The keys of list elements, with their defaults; none for sets. */
  readonly keys: readonly { readonly name: string; readonly default: JsonValue | undefined }[];
  /** The declared fields, filled lazily. */
  readonly fields: Map<string, FieldStep>;
  /** The plan of all undeclared fields. */
  unnamed: MergePlan | undefined;
  items: MergePlan | undefined;
}

/** One field of an object. */
export interface FieldStep {
  readonly element: PathElement;
  readonly plan: MergePlan;
}

const plans = new WeakMap<Schema, MergePlan>();

/** The plan of a schema. Without a schema, objects merge by field and lists are atomic. */
export function mergePlan(schema: Schema | undefined): MergePlan {
  if (schema === undefined) return noPlan;
  let plan = plans.get(schema);
  if (plan === undefined) {
    plan = makePlan(schema);
    plans.set(schema, plan);
  }
  return plan;
}

/** The path element and the plan of a field. */
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

/** The plan of list elements. */
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

/** RawExtension in built-in kinds: the schema only has `type: object`, and the value is atomic. */
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
  // Older built-in lists only have a patch strategy.
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
