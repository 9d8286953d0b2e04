import type { JsonValue } from "@kubewright/core/json";
import type { Schema } from "@kubewright/core/schema";

/** A field of a resource, as documentation describes it. */
export interface SchemaField {
  /** `replicas`. */
  readonly name: string;
  /** From the root of the object, with `[]` for items of a list and `.*` for values of a map: `spec.rules[].host`. */
  readonly path: string;
  /** `string`, `integer`, `[]object`, `map[string]string`, as kubectl writes it. */
  readonly type: string;
  readonly description: string;
  readonly required: boolean;
  /** Undefined without one. */
  readonly default: JsonValue | undefined;
  /** What values must be, one limit each: `1 to 10`, `one of "a", "b"`. */
  readonly limits: readonly string[];
  /** The fields of the object, of the items of the list, or of the values of the map. */
  readonly fields: readonly SchemaField[];
}

/** The fields of an object's schema, in the order of their definition. */
export function fieldsOf(schema: Schema, path = ""): SchemaField[] {
  const required = new Set(schema.required);
  return Object.entries(schema.properties ?? {}).map(([name, field]) => {
    const own = path === "" ? name : `${path}.${name}`;
    const [inner, suffix] = innermost(field);
    return {
      name,
      path: own,
      type: typeOf(field),
      description: field.description ?? "",
      required: required.has(name),
      default: field.default,
      limits: limitsOf(field),
      fields: fieldsOf(inner, `${own}${suffix}`),
    };
  });
}

/** The field at a path without `[]` and `.*`, such as `spec.rules.host`; undefined where there is none. */
export function fieldAt(fields: readonly SchemaField[], path: readonly string[]): SchemaField | undefined {
  const [name, ...rest] = path;
  const found = fields.find((field) => field.name === name);
  return found === undefined || rest.length === 0 ? found : fieldAt(found.fields, rest);
}

/** The schema below lists and maps, and how a path writes them. */
function innermost(schema: Schema): [schema: Schema, suffix: string] {
  const { items, additionalProperties: values } = schema;
  const [next, sign] = items ? [items, "[]"] : typeof values === "object" ? [values, ".*"] : [undefined, ""];
  if (next === undefined) return [schema, ""];
  const [inner, suffix] = innermost(next);
  return [inner, `${sign}${suffix}`];
}

function typeOf(schema: Schema): string {
  const { type, items, additionalProperties: values } = schema;
  if (schema["x-kubernetes-int-or-string"]) return "integer or string";
  if (items) return `[]${typeOf(items)}`;
  if (typeof values === "object") return `map[string]${typeOf(values)}`;
  return type ?? "any";
}

function limitsOf(schema: Schema): string[] {
  const { minimum, maximum, pattern, format, items, nullable } = schema;
  const values = schema.enum?.map((value) => JSON.stringify(value)).join(", ");
  const number =
    schema.exclusiveMinimum || schema.exclusiveMaximum
      ? [
          minimum === undefined ? "" : `${schema.exclusiveMinimum ? "more than" : "at least"} ${minimum}`,
          maximum === undefined ? "" : `${schema.exclusiveMaximum ? "less than" : "at most"} ${maximum}`,
        ].filter((part) => part !== "")
      : range(minimum, maximum, "");
  return [
    ...(values === undefined ? [] : [`one of ${values}`]),
    ...number,
    ...(schema.multipleOf === undefined ? [] : [`a multiple of ${schema.multipleOf}`]),
    ...range(schema.minLength, schema.maxLength, " characters"),
    ...range(schema.minItems, schema.maxItems, " items"),
    ...range(schema.minProperties, schema.maxProperties, " entries"),
    ...(schema.uniqueItems || schema["x-kubernetes-list-type"] === "set" ? ["no item twice"] : []),
    ...(format === undefined || format === "int32" || format === "int64" ? [] : [`format ${format}`]),
    ...(pattern === undefined ? [] : [`matches ${pattern}`]),
    ...(nullable ? ["or null"] : []),
    ...(schema["x-kubernetes-validations"] ?? []).map(({ message, rule }) => message ?? rule),
    ...(items ? limitsOf(items).map((limit) => `each item: ${limit}`) : []),
  ];
}

function range(low: number | undefined, high: number | undefined, unit: string): string[] {
  if (low === undefined && high === undefined) return [];
  if (low === undefined) return [`at most ${high}${unit}`];
  if (high === undefined) return [`at least ${low}${unit}`];
  return [low === high ? `${low}${unit}` : `${low} to ${high}${unit}`];
}
