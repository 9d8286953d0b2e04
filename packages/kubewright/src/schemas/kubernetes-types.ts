/**
 * Schemas of the common types of Kubernetes APIs, and for what zod cannot express: list types, CEL rules, embedded objects.
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

/** The format of a Quantity: a number with a suffix. */
const quantityPattern =
  "^(\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|([eE](\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))))?$";

/** An IntOrString, such as a port or a percentage. */
export function intOrString() {
  return z.union([z.int(), z.string()]);
}

/**
 * `format: int64`. Reads as a `bigint` beyond ±(2^53 − 1), where a `number` would lose digits, and as a `number` within. Accepts both. Use `z.int()`
 * for integers that stay within.
 */
export function int64() {
  return z.union([z.int(), z.bigint()]);
}

/** A Quantity such as `100m` or `1.5Gi`. */
export function quantity() {
  return z.union([z.int(), z.string()]).meta({ pattern: quantityPattern });
}

/** A duration such as `30s` or `1h15m`. */
export function duration() {
  return z.string().meta({ format: "duration" });
}

/** `x-kubernetes-list-type: map`: items have key fields, and field managers own them one by one. */
export function mapList<Item extends z.ZodObject>(item: Item, keys: readonly (keyof z.output<Item> & string)[]) {
  return z.array(item).meta({ "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": keys });
}

/** `x-kubernetes-list-type: set`: no duplicates; field managers own the items one by one. */
export function setList<Item extends z.ZodType>(item: Item) {
  return z.array(item).meta({ "x-kubernetes-list-type": "set" });
}

/** `x-kubernetes-list-type: atomic`: one field manager owns the whole list; the default of lists. */
export function atomicList<Item extends z.ZodType>(item: Item) {
  return z.array(item).meta({ "x-kubernetes-list-type": "atomic" });
}

/** `x-kubernetes-map-type: atomic`: one field manager owns the whole object. */
export function atomic<Fields extends z.ZodObject>(fields: Fields): Fields {
  return fields.meta({ ...fields.meta(), "x-kubernetes-map-type": "atomic" });
}

/** `x-kubernetes-embedded-resource`: a whole object; the server validates its type and metadata. */
export function embeddedObject() {
  return typed<EmbeddedObject>(z.looseObject({}).meta({ "x-kubernetes-embedded-resource": true }));
}

/** The value of an {@link embeddedObject}. */
export interface EmbeddedObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata?: { readonly name?: string; readonly [field: string]: unknown };
  readonly [field: string]: unknown;
}

/** A PodTemplateSpec. The server stores it unvalidated; creating pods from it reports errors. */
export function podTemplate() {
  return typed<PodTemplateSpec>(z.looseObject({}));
}

/** A LabelSelector. */
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

/** ResourceRequirements: requests and limits of a container. */
export function resourceRequirements() {
  return z.object({
    limits: z.record(z.string(), quantity()).optional(),
    requests: z.record(z.string(), quantity()).optional(),
    claims: mapList(z.object({ name: z.string(), request: z.string().optional() }), ["name"]).optional(),
  });
}

/** Adds CEL rules to a schema; `self` is the value, `oldSelf` the one before an update. The API server evaluates them. */
export function rules<Schema extends z.ZodType>(schema: Schema, ...added: readonly ValidationRule[]): Schema {
  const meta = schema.meta() ?? {};
  const known = Array.isArray(meta[rulesKey]) ? (meta[rulesKey] as readonly ValidationRule[]) : [];
  return schema.meta({ ...meta, [rulesKey]: [...known, ...added] });
}

/** A value that cannot change once it is set. */
export function immutable<Schema extends z.ZodType>(schema: Schema): Schema {
  return rules(schema, { rule: "self == oldSelf", message: "field is immutable" });
}

/** Exactly one of these optional fields is set. */
export function exactlyOneOf<Fields extends z.ZodObject>(
  fields: Fields,
  ...names: readonly (keyof z.output<Fields> & string)[]
): Fields {
  return counted(fields, names, "== 1", "exactly one");
}

/** At most one of these optional fields is set. */
export function atMostOneOf<Fields extends z.ZodObject>(
  fields: Fields,
  ...names: readonly (keyof z.output<Fields> & string)[]
): Fields {
  return counted(fields, names, "<= 1", "at most one");
}

/** At least one of these optional fields is set. */
export function atLeastOneOf<Fields extends z.ZodObject>(
  fields: Fields,
  ...names: readonly (keyof z.output<Fields> & string)[]
): Fields {
  return counted(fields, names, ">= 1", "at least one");
}

function counted<Fields extends z.ZodObject>(
  fields: Fields,
  names: readonly string[],
  limit: string,
  quantifier: string,
): Fields {
  const sum = names.map((name) => `(has(self.${name})?1:0)`).join("+");
  return rules(fields, {
    rule: `${sum} ${limit}`,
    message: `${quantifier} of the fields in [${names.join(" ")}] must be set`,
  });
}

/** A schema that accepts everything, with the type that readers expect. */
function typed<T>(schema: z.ZodType): z.ZodType<T, T> {
  return schema as unknown as z.ZodType<T, T>;
}
