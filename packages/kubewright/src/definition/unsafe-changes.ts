import { deepEqual, stringifyJson } from "@kubewright/core/json";
import type { Schema } from "@kubewright/core/schema";

/** The parts of a CustomResourceDefinition in which a change can be unsafe. */
export interface ServedDefinition {
  readonly spec: {
    readonly scope: string;
    readonly versions: readonly ServedVersion[];
  };
  readonly status?: { readonly storedVersions?: readonly string[] | undefined } | undefined;
}

/** What {@link unsafeChanges} reads of a version. */
export interface ServedVersion {
  readonly name: string;
  readonly served: boolean;
  readonly schema?: { readonly openAPIV3Schema?: unknown } | undefined;
}

/**
 * Changes of a CRD that can break existing objects or clients: another scope, removed versions, narrower schemas.
 * One sentence each; empty for a safe change.
 */
export function unsafeChanges(before: ServedDefinition, after: ServedDefinition): string[] {
  const problems: string[] = [];
  if (before.spec.scope !== after.spec.scope)
    problems.push(`the scope changes from ${before.spec.scope} to ${after.spec.scope}`);
  const next = new Map(after.spec.versions.map((version) => [version.name, version]));
  for (const stored of before.status?.storedVersions ?? [])
    if (!next.has(stored)) problems.push(`version "${stored}" is removed, but is in storedVersions`);
  for (const { name, served, schema } of before.spec.versions) {
    const version = next.get(name);
    if (served && version?.served !== true) problems.push(`version "${name}" is no longer served`);
    if (version === undefined) continue;
    const narrowed = new Narrowing(`version "${name}": `);
    narrowed.compare((schema?.openAPIV3Schema ?? {}) as Schema, (version.schema?.openAPIV3Schema ?? {}) as Schema, "");
    problems.push(...narrowed.problems);
  }
  return problems;
}

/** Raising a lower bound or lowering an upper bound narrows the schema. */
const lowerBounds = ["minimum", "minLength", "minItems", "minProperties"] as const;
const upperBounds = ["maximum", "maxLength", "maxItems", "maxProperties"] as const;
/** Keywords that narrow a schema when they are added or changed. */
const constraints = [
  "pattern",
  "format",
  "multipleOf",
  "exclusiveMinimum",
  "exclusiveMaximum",
  "uniqueItems",
  "x-kubernetes-list-type",
  "x-kubernetes-embedded-resource",
  "not",
  "allOf",
  "anyOf",
  "oneOf",
] as const;

/** Every object has these, whether its schema lists them or not. */
const implicitFields: ReadonlySet<string> = new Set(["apiVersion", "kind", "metadata"]);

/** Collects where one schema is narrower than another. */
class Narrowing {
  readonly problems: string[] = [];
  readonly #where: string;

  constructor(where: string) {
    this.#where = where;
  }

  compare(before: Schema, after: Schema, path: string): void {
    this.#compareTypes(before, after, path);
    this.#compareBounds(before, after, path);
    for (const key of constraints)
      if (after[key] !== undefined && after[key] !== false && !deepEqual(before[key] ?? null, after[key]))
        this.#add(path, before[key] === undefined ? `"${key}" is new` : `"${key}" changes`);
    const rules = before["x-kubernetes-validations"] ?? [];
    for (const { rule } of after["x-kubernetes-validations"] ?? [])
      if (!rules.some((known) => known.rule === rule)) this.#add(path, `the rule "${rule}" is new`);
    this.#compareFields(before, after, path);
    if (before.items && after.items) this.compare(before.items, after.items, `${path}[]`);
    const [values, nextValues] = [before.additionalProperties, after.additionalProperties];
    if (typeof values === "object" && typeof nextValues === "object") this.compare(values, nextValues, `${path}{}`);
    else if (values !== undefined && values !== false && (nextValues === undefined || nextValues === false))
      this.#add(path, "additional keys are pruned");
  }

  #compareTypes(before: Schema, after: Schema, path: string): void {
    const [was, is] = [typeOf(before), typeOf(after)];
    const isWider = is === "any" || (was === "integer" && (is === "number" || is === "integer or string"));
    if (was !== is && !isWider && !(was === "string" && is === "integer or string"))
      this.#add(path, `the type changes from ${was} to ${is}`);
    if (before.nullable === true && after.nullable !== true) this.#add(path, "null is no longer allowed");
    if (
      before["x-kubernetes-preserve-unknown-fields"] === true &&
      after["x-kubernetes-preserve-unknown-fields"] !== true
    )
      this.#add(path, "unknown fields are pruned");
    if (after.enum === undefined) return;
    const gone = before.enum?.filter((value) => !after.enum?.some((other) => deepEqual(value, other)));
    if (gone === undefined) this.#add(path, "only some values are allowed");
    else if (gone.length > 0)
      this.#add(path, `no longer allowed: ${gone.map((value) => stringifyJson(value)).join(", ")}`);
  }

  #compareBounds(before: Schema, after: Schema, path: string): void {
    for (const bound of lowerBounds) {
      const limit = after[bound];
      if (
        limit !== undefined &&
        limit > (before[bound] ?? Number.NEGATIVE_INFINITY) &&
        !(limit === 0 && bound !== "minimum")
      )
        this.#add(path, `"${bound}" is raised to ${limit}`);
    }
    for (const bound of upperBounds) {
      const limit = after[bound];
      if (limit !== undefined && limit < (before[bound] ?? Number.POSITIVE_INFINITY))
        this.#add(path, `"${bound}" is lowered to ${limit}`);
    }
  }

  #compareFields(before: Schema, after: Schema, path: string): void {
    const keepsUnknown = after["x-kubernetes-preserve-unknown-fields"] === true;
    for (const [name, field] of Object.entries(before.properties ?? {})) {
      const next = ownField(after, name);
      const at = path === "" ? name : `${path}.${name}`;
      if (next !== undefined) this.compare(field, next, at);
      else if (!keepsUnknown && !implicitFields.has(at)) this.#add(at, "the field is removed");
    }
    for (const name of after.required ?? []) {
      if (before.required?.includes(name) === true || ownField(after, name)?.default !== undefined) continue;
      this.#add(path === "" ? name : `${path}.${name}`, "the field becomes required");
    }
  }

  #add(path: string, problem: string): void {
    this.problems.push(`${this.#where}${path === "" ? "the object" : `"${path}"`}: ${problem}`);
  }
}

function ownField(schema: Schema, name: string): Schema | undefined {
  const { properties = {} } = schema;
  return Object.hasOwn(properties, name) ? properties[name] : undefined;
}

function typeOf(schema: Schema): string {
  if (schema["x-kubernetes-int-or-string"] === true) return "integer or string";
  return schema.type === undefined || schema.type === "" ? "any" : schema.type;
}
