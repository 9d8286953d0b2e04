import type { CompactApi, CompactResource, CompactSchema } from "./compact-api.js";

/** Schemas that are scalars or free-form in JSON. */
const wellKnown: Readonly<Record<string, string>> = {
  "io.k8s.apimachinery.pkg.api.resource.Quantity": "string | number",
  "io.k8s.apimachinery.pkg.util.intstr.IntOrString": "number | string",
  "io.k8s.apimachinery.pkg.apis.meta.v1.Time": "string",
  "io.k8s.apimachinery.pkg.apis.meta.v1.MicroTime": "string",
  "io.k8s.apimachinery.pkg.apis.meta.v1.FieldsV1": "Record<string, unknown>",
  "io.k8s.apimachinery.pkg.runtime.RawExtension": "Record<string, unknown>",
};

/** The location of a schema's type: a module below `k8s/`, and the name in it. */
interface TypePlace {
  /** For instance `apps/v1`. */
  readonly module: string;
  readonly name: string;
}

/** The location of a schema by name; undefined for names of an unknown pattern. */
function placeOf(schemaName: string): TypePlace | undefined {
  const match =
    /^io\.k8s\.api\.([a-z]+)\.(v[a-z0-9]+)\.(\w+)$/.exec(schemaName) ??
    /^io\.k8s\.apimachinery\.pkg\.apis\.(meta)\.(v1)\.(\w+)$/.exec(schemaName) ??
    /^io\.k8s\.(?:apiextensions-apiserver|kube-aggregator)\.pkg\.apis\.([a-z]+)\.(v1)\.(\w+)$/.exec(schemaName);
  const [, group, version, name] = match ?? [];
  return group && version && name ? { module: `${group}/${version}`, name } : undefined;
}

/** Generates TypeScript modules with the types and handles of an API. */
export class TypeWriter {
  readonly #header: string;
  readonly #schemas: ReadonlyMap<string, CompactSchema>;
  /** By schema name. */
  readonly #kinds: ReadonlyMap<string, CompactResource>;
  /** Schemas of subresource bodies, such as Scale and Eviction: types without a handle. */
  readonly #bodies: ReadonlySet<string>;
  /** Kinds embedded in another object as a template: they have neither uid nor resourceVersion. */
  readonly #embedded = new Set<string>();

  constructor(api: CompactApi) {
    this.#header = `// Written by tools/api-data from Kubernetes ${api.kubernetesVersion}. Do not edit.`;
    this.#schemas = new Map(Object.entries(api.schemas));
    this.#kinds = new Map(api.resources.map((resource) => [resource.schema, resource]));
    this.#bodies = new Set(
      api.resources.flatMap(({ subresources }) => subresources.flatMap(({ schema }) => schema ?? [])),
    );
  }

  /** The source of each module by its path below `k8s/`. Contains only the kinds and the types they reference. */
  modules(): Map<string, string> {
    const reached = this.#reachable();
    const byModule = new Map<string, string[]>();
    for (const name of [...reached].sort()) {
      const place = placeOf(name);
      if (place) byModule.set(place.module, [...(byModule.get(place.module) ?? []), name]);
    }
    return new Map([...byModule].map(([module, names]) => [module, this.#module(module, names)]));
  }

  #reachable(): Set<string> {
    const reached = new Set<string>();
    const visit = (schema: CompactSchema): void => {
      const reference = referenceOf(schema);
      if (reference !== undefined && this.#kinds.has(reference) && reached.has(reference))
        this.#embedded.add(reference);
      if (reference !== undefined && !reached.has(reference) && wellKnown[reference] === undefined) {
        reached.add(reference);
        const target = this.#schemas.get(reference);
        if (target) visit(target);
      }
      for (const property of Object.values(schema.properties ?? {})) visit(property);
      if (schema.items) visit(schema.items);
      if (typeof schema.additionalProperties === "object") visit(schema.additionalProperties);
    };
    const roots = [...this.#kinds.keys(), ...this.#bodies];
    for (const name of roots) reached.add(name);
    for (const name of roots) visit(this.#schemas.get(name) ?? {});
    return reached;
  }

  #module(module: string, names: readonly string[]): string {
    const imports = new Map<string, Set<string>>();
    const use = (reference: string): string => {
      const place = placeOf(reference);
      if (!place) return "unknown";
      const name = this.#kinds.has(reference) ? `Embedded${place.name}` : place.name;
      if (place.module !== module) imports.set(place.module, (imports.get(place.module) ?? new Set()).add(name));
      return name;
    };
    const bodies = names.map((name) => {
      const kind = this.#kinds.get(name);
      const schema = this.#schemas.get(name) ?? {};
      if (!kind) return interfaceText(placeOf(name)?.name ?? name, schema, use);
      const template = this.#embedded.has(name) ? [interfaceText(`Embedded${kind.kind}`, schema, use)] : [];
      return [this.#kindText(kind, schema, use), ...template].join("\n\n");
    });
    const hasKinds = names.some((name) => this.#kinds.has(name));
    const lines = [this.#header];
    if (hasKinds) lines.push(`import { defineKind, type Kind, type ReadMeta } from "../../definition/index.js";`);
    for (const [other, used] of [...imports].sort())
      lines.push(`import type { ${[...used].sort().join(", ")} } from "../${other}.gen.js";`);
    return `${lines.join("\n")}\n\n${bodies.join("\n\n")}\n`;
  }

  #kindText(kind: CompactResource, schema: CompactSchema, use: (reference: string) => string): string {
    const apiVersion = kind.group === "" ? kind.version : `${kind.group}/${kind.version}`;
    const { apiVersion: _a, kind: _k, metadata: _m, status, ...rest } = schema.properties ?? {};
    const write = Object.entries(rest).map(([name, property]) => {
      const mustBeGiven = schema.required?.includes(name) || (name === "spec" && this.#hasRequired(property));
      return propertyText(name, property, mustBeGiven, use);
    });
    const read = Object.entries(rest).map(([name, property]) => {
      return propertyText(name, property, name === "spec" || schema.required?.includes(name) === true, use);
    });
    const statusType = status === undefined ? "never" : typeText(status, use);
    const statusText = status === undefined ? [] : [`  status?: ${statusType};`];
    const types = `${kind.kind}Types`;
    const scope = kind.namespaced ? "Namespaced" : "Cluster";
    return [
      `/** An object of kind ${kind.kind} in ${apiVersion}. */`,
      `export interface ${kind.kind} {`,
      `  apiVersion: "${apiVersion}";`,
      `  kind: "${kind.kind}";`,
      "  metadata: ReadMeta;",
      ...read.map((line) => `  ${line}`),
      ...statusText,
      "}",
      `interface ${types} { read: ${kind.kind}; write: { ${write.join(" ")} }; status: ${statusType}; conditions: never }`,
      `/** The kind ${kind.kind} in ${apiVersion}. */`,
      `export const ${kind.kind}: Kind<"${kind.group}/${kind.version}/${kind.kind}", "${scope}", ${types}> = /* @__PURE__ */ defineKind({ group: "${kind.group}", version: "${kind.version}", kind: "${kind.kind}", plural: "${kind.plural}", scope: "${scope}" });`,
    ].join("\n");
  }

  #hasRequired(property: CompactSchema): boolean {
    const reference = referenceOf(property);
    return reference !== undefined && (this.#schemas.get(reference)?.required?.length ?? 0) > 0;
  }
}

function interfaceText(name: string, schema: CompactSchema, use: (reference: string) => string): string {
  if (schema.properties === undefined) return `export type ${name} = ${typeText(schema, use)};`;
  const lines = Object.entries(schema.properties).map(([property, type]) => {
    return `  ${propertyText(property, type, schema.required?.includes(property) === true, use)}`;
  });
  return `export interface ${name} {\n${lines.join("\n")}\n}`;
}

function propertyText(
  name: string,
  schema: CompactSchema,
  required: boolean,
  use: (reference: string) => string,
): string {
  const key = /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name);
  // A caller may pass undefined for an unset field; it is dropped as in JSON.
  return required ? `${key}: ${typeText(schema, use)};` : `${key}?: ${typeText(schema, use)} | undefined;`;
}

function typeText(schema: CompactSchema, use: (reference: string) => string): string {
  const reference = referenceOf(schema);
  if (reference !== undefined) return wellKnown[reference] ?? use(reference);
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(" | ");
  switch (schema.type) {
    case "string":
      return "string";
    case "integer":
    case "number":
      return "number";
    case "boolean":
      return "boolean";
    case "array": {
      const item = schema.items ? typeText(schema.items, use) : "unknown";
      return /[ |]/.test(item) ? `(${item})[]` : `${item}[]`;
    }
    case "object":
      return `Record<string, ${typeof schema.additionalProperties === "object" ? typeText(schema.additionalProperties, use) : "unknown"}>`;
    default:
      return "unknown";
  }
}

/** The name of the referenced schema, directly or through a single `allOf`. */
function referenceOf({ $ref, allOf }: CompactSchema): string | undefined {
  return $ref ?? (allOf?.length === 1 ? allOf[0]?.$ref : undefined);
}
