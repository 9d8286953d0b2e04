import {
  type ListedResource,
  type RawSchema,
  readGroupVersions,
  readOpenApi,
  readResources,
  readVersion,
  type Server,
} from "./api-server.js";

/** The stored API data: sorted, without descriptions, deterministic for a server version. */
export interface CompactApi {
  readonly kubernetesVersion: string;
  readonly resources: readonly CompactResource[];
  /** References are bare schema names. */
  readonly schemas: Readonly<Record<string, CompactSchema>>;
}

/** One top-level resource. */
export interface CompactResource {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly plural: string;
  readonly singular: string;
  readonly namespaced: boolean;
  readonly verbs: readonly string[];
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  readonly storageVersionHash: string;
  readonly subresources: readonly CompactSubresource[];
  readonly schema: string;
  /** Undefined for reviews: they support only create. */
  readonly listSchema?: string;
}

/** A subresource; group and version if they differ from the resource's. */
export interface CompactSubresource {
  readonly name: string;
  readonly kind: string;
  readonly group?: string;
  readonly version?: string;
  readonly verbs: readonly string[];
  /** The schema of its body if it differs from the resource's. */
  readonly schema?: string;
}

/** A schema without descriptions. */
export interface CompactSchema {
  readonly $ref?: string;
  readonly allOf?: readonly CompactSchema[];
  readonly type?: string;
  readonly format?: string;
  readonly enum?: readonly string[];
  readonly properties?: Readonly<Record<string, CompactSchema>>;
  readonly required?: readonly string[];
  readonly items?: CompactSchema;
  readonly additionalProperties?: CompactSchema | boolean;
}

/** Components of every group version that are not resources: responses and options. */
const sharedComponents = [
  "io.k8s.apimachinery.pkg.apis.meta.v1.DeleteOptions",
  "io.k8s.apimachinery.pkg.apis.meta.v1.Patch",
  "io.k8s.apimachinery.pkg.apis.meta.v1.Status",
];

const refPrefix = "#/components/schemas/";

/** Reads every generally available group version of a server. */
export async function readCompactApi(server: Server): Promise<CompactApi> {
  const resources: CompactResource[] = [];
  const schemas = new Map<string, CompactSchema>();
  for (const groupVersion of await readGroupVersions(server)) {
    const components = await readOpenApi(server, groupVersion);
    const listed = await readResources(server, groupVersion);
    const [group, version] = groupVersion.includes("/")
      ? (groupVersion.split("/") as [string, string])
      : ["", groupVersion];
    for (const main of listed.filter(({ name }) => !name.includes("/"))) {
      const schema = componentOf(components, group, version, main.kind);
      if (schema === undefined) throw new Error(`Cannot find the schema of kind "${main.kind}" in "${groupVersion}"`);
      const listSchema = componentOf(components, group, version, `${main.kind}List`);
      const subresources = subresourcesOf(listed, main, (part) => {
        const name = componentOf(components, part.group ?? group, part.version ?? version, part.kind);
        return name === schema ? undefined : name;
      });
      for (const name of [schema, listSchema, ...subresources.map((part) => part.schema)])
        if (name) collect(components, name, schemas);
      resources.push(
        sorted({ group, version, ...describe(main), schema, ...(listSchema && { listSchema }), subresources }),
      );
    }
    for (const shared of sharedComponents) if (components[shared]) collect(components, shared, schemas);
  }
  return {
    kubernetesVersion: await readVersion(server),
    resources,
    schemas: Object.fromEntries([...schemas].sort(([a], [b]) => (a < b ? -1 : 1))),
  };
}

function describe(resource: ListedResource): Omit<CompactResource, "group" | "version" | "schema" | "subresources"> {
  const { name, singularName, namespaced, kind, verbs, shortNames, categories, storageVersionHash } = resource;
  return {
    plural: name,
    singular: singularName,
    namespaced,
    kind,
    verbs: [...verbs].sort(),
    shortNames: shortNames ?? [],
    categories: categories ?? [],
    storageVersionHash: storageVersionHash ?? "",
  };
}

function subresourcesOf(
  listed: readonly ListedResource[],
  main: ListedResource,
  schemaOf: (part: ListedResource) => string | undefined,
): CompactSubresource[] {
  return listed
    .filter((resource) => resource.name.startsWith(`${main.name}/`))
    .map((resource) => {
      const schema = schemaOf(resource);
      return sorted({
        name: resource.name.slice(main.name.length + 1),
        kind: resource.kind,
        verbs: [...resource.verbs].sort(),
        ...(resource.group !== undefined && { group: resource.group }),
        ...(resource.version !== undefined && { version: resource.version }),
        ...(schema !== undefined && { schema }),
      });
    });
}

function componentOf(
  components: Readonly<Record<string, RawSchema>>,
  group: string,
  version: string,
  kind: string,
): string | undefined {
  return Object.entries(components).find(([, schema]) => {
    const identities = schema["x-kubernetes-group-version-kind"];
    if (!Array.isArray(identities) || identities.length !== 1) return false;
    const [identity] = identities as { group: string; version: string; kind: string }[];
    return identity?.group === group && identity.version === version && identity.kind === kind;
  })?.[0];
}

/** Adds a component and all that it references. */
function collect(
  components: Readonly<Record<string, RawSchema>>,
  name: string,
  into: Map<string, CompactSchema>,
): void {
  if (into.has(name)) return;
  const schema = components[name];
  if (!schema) throw new Error(`Cannot find the component "${name}"`);
  // Added before it is complete: schemas may be recursive.
  into.set(name, {});
  into.set(name, compact(schema, false, (reached) => collect(components, reached, into)) as CompactSchema);
}

/** Drops descriptions (but not properties of that name), turns references into bare names, sorts keys. */
function compact(value: unknown, namesOfFields: boolean, reach: (name: string) => void): unknown {
  if (Array.isArray(value)) return value.map((element) => compact(element, false, reach));
  if (typeof value !== "object" || value === null) return value;
  const result: [string, unknown][] = [];
  for (const [key, inner] of Object.entries(value)) {
    if (!namesOfFields && key === "description") continue;
    if (!namesOfFields && key === "$ref" && typeof inner === "string") {
      const name = inner.slice(refPrefix.length);
      reach(name);
      result.push([key, name]);
    } else result.push([key, compact(inner, key === "properties" && !namesOfFields, reach)]);
  }
  return Object.fromEntries(result.sort(([a], [b]) => (a < b ? -1 : 1)));
}

function sorted<T extends object>(value: T): T {
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))) as T;
}
