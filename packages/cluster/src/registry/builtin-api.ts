import { createRequire } from "node:module";
import { getOwn, isJsonObject, type JsonObject, type JsonValue } from "@kubewright/core/json";
import type { Schema } from "@kubewright/core/schema";
import type { Subresource } from "./resource.js";

/** One built-in resource, as kube-apiserver's discovery lists it. */
export interface BuiltinData {
  readonly group: string;
  readonly version: string;
  readonly plural: string;
  readonly singular: string;
  readonly kind: string;
  readonly namespaced: boolean;
  readonly verbs: readonly string[];
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  readonly storageVersionHash: string;
  readonly subresources: readonly Subresource[];
  /** The name of its OpenAPI component. */
  readonly schema: string;
  /** Absent for reviews: they can only be created. */
  readonly listSchema?: string;
}

interface ApiData {
  readonly kubernetesVersion: string;
  readonly resources: readonly BuiltinData[];
  readonly schemas: Readonly<Record<string, JsonObject>>;
}

let loaded: ApiData | undefined;

/** The data that `tools/api-data` read from kube-apiserver. Loaded on first use: importing this package reads no file. */
function apiData(): ApiData {
  loaded ??= createRequire(import.meta.url)("#api-data") as ApiData;
  return loaded;
}

/** The Kubernetes version of the API data, for instance `v1.36.4`. */
export function kubernetesVersion(): string {
  return apiData().kubernetesVersion;
}

/** Every GA resource of Kubernetes, served here or not. */
export function builtinData(): readonly BuiltinData[] {
  return apiData().resources;
}

/** Resolved components: at most one entry for each component of the API data. */
const resolved = new Map<string, Schema>();
const structNames = new WeakMap<object, string>();
const components = new WeakMap<object, string>();

/** A component with every `$ref` replaced by its schema. Resolved once, on first use. */
export function builtinSchema(name: string): Schema {
  const known = resolved.get(name);
  if (known) return known;
  const source = rawComponent(name);
  if (!source) throw new Error(`Cannot find the schema "${name}": it is not in the API data`);
  // Registered before it is filled: schemas are recursive.
  const schema: Record<string, unknown> = {};
  resolved.set(name, schema as Schema);
  components.set(schema, name);
  structNames.set(schema, name.slice(name.lastIndexOf(".") + 1));
  Object.assign(schema, resolveParts(source));
  return schema as Schema;
}

/** The name of the Go type behind a schema, as decoding errors print it; undefined for schemas without a name. */
export function structNameOf(schema: Schema): string | undefined {
  return structNames.get(schema);
}

/** The name of the component that a schema was resolved from; undefined for schemas without a name. */
export function componentOf(schema: Schema): string | undefined {
  return components.get(schema);
}

/** A component as in the API data, with unresolved `$ref`s; undefined if there is none. */
export function rawComponent(name: string): JsonObject | undefined {
  return getOwn(apiData().schemas, name);
}

/** The names of all components that a component references, directly or transitively, including itself. */
export function reachedFrom(name: string, into: Set<string> = new Set()): Set<string> {
  if (into.has(name)) return into;
  into.add(name);
  collectReferences(rawComponent(name) ?? null, (reached) => void reachedFrom(reached, into));
  return into;
}

function collectReferences(value: JsonValue, reach: (name: string) => void): void {
  if (Array.isArray(value)) for (const item of value as readonly JsonValue[]) collectReferences(item, reach);
  else if (isJsonObject(value))
    for (const [key, inner] of Object.entries(value)) {
      if (key === "$ref" && typeof inner === "string") reach(inner);
      else collectReferences(inner, reach);
    }
}

/** Resolves the references in `properties`, `items` and `additionalProperties`, and copies the rest. */
function resolveParts(source: JsonObject): Record<string, unknown> {
  const result: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(source)) {
    if (key === "properties" && isJsonObject(value))
      result[key] = Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, resolveOne(inner)]));
    else if (key === "items" || key === "additionalProperties") result[key] = resolveOne(value);
    else result[key] = value;
  }
  return result;
}

function resolveOne(value: JsonValue): unknown {
  if (!isJsonObject(value)) return value;
  const reference = value["$ref"];
  if (typeof reference === "string") return builtinSchema(reference);
  const [wrapped] = Array.isArray(value["allOf"]) ? (value["allOf"] as readonly JsonValue[]) : [];
  const inner = isJsonObject(wrapped) ? wrapped["$ref"] : undefined;
  if (typeof inner !== "string") return resolveParts(value);
  // A reference with sibling keywords stays in `allOf`: the referenced schema may not be filled yet.
  const { allOf: _, ...own } = value;
  return { ...own, allOf: [builtinSchema(inner)] };
}
