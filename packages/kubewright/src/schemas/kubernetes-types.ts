/**
 * Schemas for what Kubernetes' own kinds are made of, and for what zod has no word for: list types, rules, embedded objects.
 *
 * @example
 * import { k, z } from "kubewright";
 * const spec = z.object({ storage: k.quantity(), ports: k.mapList(z.object({ name: z.string() }), ["name"]) });
 *
 * @module
 */
import { z } from "#zod";
import type { ValidationRule } from "../definition/index.js";
import type { PodTemplateSpec } from "../k8s/core/v1.gen.js";

const rulesKey = "x-kubernetes-validations";

/** How Kubernetes writes amounts: a number with a suffix. */
const quantityPattern =
  "^(\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|([eE](\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))))?$";

/** A whole number or a text, for instance a port or a percentage. */
export function intOrString() {
  return z.union([z.int(), z.string()]);
}

/**
 * An integer of 64 bits. It reads as a `bigint` beyond ±(2^53 − 1), where a `number` would lose digits; write either. `z.int()` is for integers
 * that stay within.
 */
export function int64() {
  return z.union([z.int(), z.bigint()]);
}

/** An amount such as `100m` or `1.5Gi`. */
export function quantity() {
  return z.union([z.int(), z.string()]).meta({ pattern: quantityPattern });
}

/** A duration such as `30s` or `1h15m`. */
export function duration() {
  return z.string().meta({ format: "duration" });
}

/** A list of objects that are told apart by some of their fields: appliers can own its items one by one. */
export function mapList<Item extends z.ZodObject>(item: Item, keys: readonly (keyof z.output<Item> & string)[]) {
  return z.array(item).meta({ "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": keys });
}

/** A list without duplicates, of texts or numbers: appliers can own its items one by one. */
export function setList<Item extends z.ZodType>(item: Item) {
  return z.array(item).meta({ "x-kubernetes-list-type": "set" });
}

/** A list that has one owner as a whole, which is also what a list without a type has. */
export function atomicList<Item extends z.ZodType>(item: Item) {
  return z.array(item).meta({ "x-kubernetes-list-type": "atomic" });
}

/** An object that has one owner as a whole. */
export function atomic<Fields extends z.ZodObject>(fields: Fields): Fields {
  return fields.meta({ ...fields.meta(), "x-kubernetes-map-type": "atomic" });
}

/** An object of any kind within another, with its own type and metadata, of which the server checks those. */
export function embeddedObject() {
  return typed<EmbeddedObject>(z.looseObject({}).meta({ "x-kubernetes-embedded-resource": true }));
}

/** What {@link embeddedObject} holds. */
export interface EmbeddedObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata?: { readonly name?: string; readonly [field: string]: unknown };
  readonly [field: string]: unknown;
}

/** The template of pods. The server keeps it as it is; whoever makes pods of it is told what is wrong with it. */
export function podTemplate() {
  return typed<PodTemplateSpec>(z.looseObject({}));
}

/** Which objects are meant, by their labels. */
export function labelSelector() {
  return atomic(
    z.object({
      matchLabels: z.record(z.string(), z.string()).optional(),
      matchExpressions: atomicList(
        z.object({
          key: z.string(),
          operator: z.enum(["In", "NotIn", "Exists", "DoesNotExist"]),
          values: atomicList(z.string()).optional(),
        }),
      ).optional(),
    }),
  );
}

/** One key of a Secret or ConfigMap in the same namespace. */
export function keyReference() {
  return atomic(z.object({ name: z.string().min(1), key: z.string().min(1), optional: z.boolean().optional() }));
}

/** An object in the same namespace, by its name. */
export function localReference() {
  return atomic(z.object({ name: z.string().min(1) }));
}

/** An object of any kind, anywhere. */
export function objectReference() {
  return atomic(
    z.object({
      apiVersion: z.string().optional(),
      kind: z.string().optional(),
      namespace: z.string().optional(),
      name: z.string().optional(),
      uid: z.string().optional(),
      resourceVersion: z.string().optional(),
      fieldPath: z.string().optional(),
    }),
  );
}

/** What a container asks for, and what it may use at most. */
export function resourceRequirements() {
  return z.object({
    limits: z.record(z.string(), quantity()).optional(),
    requests: z.record(z.string(), quantity()).optional(),
    claims: mapList(z.object({ name: z.string(), request: z.string().optional() }), ["name"]).optional(),
  });
}

/** The schema with rules in CEL about its value, in which `self` is the value and `oldSelf` what it was. The API server checks them. */
export function rules<Schema extends z.ZodType>(schema: Schema, ...added: readonly ValidationRule[]): Schema {
  const meta = schema.meta() ?? {};
  const known = Array.isArray(meta[rulesKey]) ? (meta[rulesKey] as readonly ValidationRule[]) : [];
  return schema.meta({ ...meta, [rulesKey]: [...known, ...added] });
}

/** A value that cannot change once it is set. */
export function immutable<Schema extends z.ZodType>(schema: Schema): Schema {
  return rules(schema, { rule: "self == oldSelf", message: "field is immutable" });
}

/** Exactly one of these fields, which are optional, is given. */
export function exactlyOneOf<Fields extends z.ZodObject>(fields: Fields, ...names: FieldNames<Fields>): Fields {
  return counted(fields, names, "== 1", "exactly one");
}

/** Not more than one of these fields, which are optional, is given. */
export function atMostOneOf<Fields extends z.ZodObject>(fields: Fields, ...names: FieldNames<Fields>): Fields {
  return counted(fields, names, "<= 1", "at most one");
}

/** One of these fields, which are optional, is given, or more. */
export function atLeastOneOf<Fields extends z.ZodObject>(fields: Fields, ...names: FieldNames<Fields>): Fields {
  return counted(fields, names, ">= 1", "at least one");
}

type FieldNames<Fields extends z.ZodObject> = readonly (keyof z.output<Fields> & string)[];

function counted<Fields extends z.ZodObject>(
  fields: Fields,
  names: FieldNames<Fields>,
  limit: string,
  words: string,
): Fields {
  const sum = names.map((name) => `(has(self.${name})?1:0)`).join("+");
  return rules(fields, {
    rule: `${sum} ${limit}`,
    message: `${words} of the fields in [${names.join(" ")}] must be set`,
  });
}

/** A schema that lets everything through, under the type that readers may count on. */
function typed<T>(schema: z.ZodType): z.ZodType<T, T> {
  return schema as unknown as z.ZodType<T, T>;
}
