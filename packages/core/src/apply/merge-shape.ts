import { OperatorError } from "../errors/index.js";
import { getOwn, isJsonObject, type JsonObject, type JsonValue, setOwn } from "../json/index.js";
import { type Schema, structureOf } from "../schema/index.js";
import { mergePlan } from "./merge-plan.js";
import { keyElement, type PathElement, valueElement } from "./path-element.js";

/** How a value merges: atomically, by field, or by element. */
export type MergeShape =
  | { readonly kind: "leaf" }
  | { readonly kind: "map"; readonly value: JsonObject }
  | { readonly kind: "list"; readonly value: readonly JsonValue[]; readonly schema: Schema };

const leaf: MergeShape = { kind: "leaf" };

/** The shape of a value by its schema. Without a schema, objects merge by field and lists are atomic. */
export function mergeShape(value: JsonValue | undefined, schema: Schema | undefined): MergeShape {
  if (Array.isArray(value)) {
    return schema !== undefined && mergePlan(schema).isAssociative ? { kind: "list", value, schema } : leaf;
  }
  if (!isJsonObject(value)) return leaf;
  return mergePlan(schema).isWhole ? leaf : { kind: "map", value };
}

/** Whether the schema declares the field in `properties`. */
export function isDeclared(schema: Schema | undefined, name: string): boolean {
  const properties = structureOf(schema)?.properties;
  return properties !== undefined && Object.hasOwn(properties, name);
}

/** The path element of an item of an associative list, or the reason why it has none. */
export function elementOf(
  item: JsonValue,
  list: Schema,
): { readonly element: PathElement } | { readonly problem: string } {
  const { keys } = mergePlan(list);
  if (keys.length === 0) {
    if (Array.isArray(item)) return { problem: "not supported: associative list with lists as elements" };
    if (isJsonObject(item)) return { problem: "associative list without keys has an element that's a map type" };
    if (item === null) return { problem: "associative list without keys has an element that's an explicit null" };
    return { element: valueElement(item) };
  }
  if (item === null) return { problem: "associative list with keys may not have a null element" };
  if (!isJsonObject(item)) return { problem: "associative list with keys may not have non-map elements" };
  const values: Record<string, JsonValue> = {};
  for (const key of keys) {
    // An explicit null is a key of its own: the default only replaces a missing key.
    const given = getOwn(item, key.name);
    const value = given === undefined ? key.default : given;
    if (value !== undefined && (value !== null || given === null)) setOwn(values, key.name, value);
  }
  if (Object.keys(values).length === 0) {
    const names = `[${keys.map((key) => JSON.stringify(key.name)).join(" ")}]`;
    return {
      problem: `associative list with keys has an element that omits all key fields ${names} (and doesn't have default values for any key fields)`,
    };
  }
  return { element: keyElement(values) };
}

/** Like {@link elementOf}, but throws for an item without a path element. */
export function requireElement(item: JsonValue, list: Schema, path: string, index: number): PathElement {
  const result = elementOf(item, list);
  if ("element" in result) return result.element;
  throw new OperatorError("API_BAD_REQUEST", `${path}: element ${index}: ${result.problem}`);
}
