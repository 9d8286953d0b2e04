import { deepEqual, getOwn, isJsonObject, type JsonObject, type JsonValue } from "@kubewright/core/json";
import type { Schema } from "@kubewright/core/schema";

/** A value that is short enough to be shown. */
export type ScalarValue = string | number | boolean;

/** A field that differs between two states of an object. */
export interface FieldChange {
  /** Such as `.spec.template.spec.containers[web].image`. */
  readonly path: string;
  readonly change: "added" | "removed" | "changed";
  /** Only scalars, strings cut at 80 characters; absent where the value may be confidential. */
  readonly before?: ScalarValue;
  readonly after?: ScalarValue;
}

const maxChanges = 20;
const maxDepth = 16;
const maxLength = 80;
/** They change with every write, so they explain nothing. */
const bookkeeping: ReadonlySet<string> = new Set([
  ".metadata.resourceVersion",
  ".metadata.managedFields",
  ".metadata.generation",
]);
/** Fields of built-in kinds in which credentials are common: data of ConfigMaps, environment and command lines of containers. */
const confidential: ReadonlySet<string> = new Set([
  "data",
  "binaryData",
  "stringData",
  "annotations",
  "env",
  "args",
  "command",
]);

interface Place {
  readonly path: string;
  readonly depth: number;
  /** Whether values may be shown. */
  readonly shown: boolean;
  readonly schema: Schema | undefined;
}

/** What {@link fieldChanges} may show. */
export interface FieldChangesOptions {
  /** The path of the two values. @default "", the whole object */
  readonly path?: string;
  /** Whether values may be shown at all: false for Secrets. */
  readonly values: boolean;
  /** Fields of `format: password` are confidential. */
  readonly schema?: Schema | undefined;
}

/**
 * The fields in which two states differ, at most twenty, without those that every write changes. Items of lists are compared by `name` where all have
 * one, else by position.
 *
 * Values are shown only where `values` is set, and never below fields that the schema declares confidential (`format: password`) or that commonly
 * contain credentials.
 */
export function fieldChanges(
  before: JsonValue | undefined,
  after: JsonValue | undefined,
  { path = "", values, schema }: FieldChangesOptions,
): FieldChange[] {
  const found: FieldChange[] = [];
  collect(before, after, { path, depth: 0, shown: values && schema?.format !== "password", schema }, found);
  return found;
}

function collect(
  before: JsonValue | undefined,
  after: JsonValue | undefined,
  place: Place,
  found: FieldChange[],
): void {
  if (before === after || found.length >= maxChanges || bookkeeping.has(place.path)) return;
  const isDeep = place.depth < maxDepth;
  if (isDeep && isJsonObject(before) && isJsonObject(after)) collectFields(before, after, place, found);
  else if (isDeep && Array.isArray(before) && Array.isArray(after) && areItems(before, after))
    collectItems(before, after, place, found);
  else if (!deepEqual(before ?? null, after ?? null)) found.push(changeOf(before, after, place));
}

function collectFields(before: JsonObject, after: JsonObject, place: Place, found: FieldChange[]): void {
  const { path, depth, shown, schema } = place;
  for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const field = /^[A-Za-z0-9_-]+$/.test(name) ? `.${name}` : `[${JSON.stringify(name)}]`;
    const below = fieldSchema(schema, name);
    const isShown = shown && below?.format !== "password" && !confidential.has(name);
    const at = { path: path + field, depth: depth + 1, shown: isShown, schema: below };
    collect(getOwn(before, name), getOwn(after, name), at, found);
  }
}

function collectItems(
  before: readonly JsonValue[],
  after: readonly JsonValue[],
  { path, depth, shown, schema }: Place,
  found: FieldChange[],
): void {
  const below = schema?.items;
  const at = (item: string): Place => {
    return { path: `${path}[${item}]`, depth: depth + 1, shown: shown && below?.format !== "password", schema: below };
  };
  if (!areNamed(before) || !areNamed(after)) {
    for (const [index, item] of before.entries()) collect(item, after[index], at(String(index)), found);
    return;
  }
  const old = new Map(before.map((item) => [item.name, item]));
  const next = new Map(after.map((item) => [item.name, item]));
  for (const name of new Set([...old.keys(), ...next.keys()])) collect(old.get(name), next.get(name), at(name), found);
}

/** Whether two lists can be compared item by item. */
function areItems(before: readonly JsonValue[], after: readonly JsonValue[]): boolean {
  return before.length === after.length || (areNamed(before) && areNamed(after));
}

function areNamed(items: readonly JsonValue[]): items is readonly (JsonObject & { readonly name: string })[] {
  return items.every((item) => isJsonObject(item) && typeof item["name"] === "string");
}

function fieldSchema(schema: Schema | undefined, name: string): Schema | undefined {
  const { properties, additionalProperties } = schema ?? {};
  if (properties !== undefined && Object.hasOwn(properties, name)) return properties[name];
  return typeof additionalProperties === "object" ? additionalProperties : undefined;
}

function changeOf(before: JsonValue | undefined, after: JsonValue | undefined, { path, shown }: Place): FieldChange {
  const change = before === undefined ? "added" : after === undefined ? "removed" : "changed";
  if (!shown) return { path, change };
  const [old, next] = [scalar(before), scalar(after)];
  return { path, change, ...(old !== undefined && { before: old }), ...(next !== undefined && { after: next }) };
}

function scalar(value: JsonValue | undefined): ScalarValue | undefined {
  if (typeof value === "string") return value.length <= maxLength ? value : `${value.slice(0, maxLength - 1)}…`;
  return typeof value === "number" || typeof value === "boolean" ? value : undefined;
}
