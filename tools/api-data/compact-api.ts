import {
  type ListedResource,
  type RawSchema,
  readOpenApi,
  readResources,
  readVersion,
  type Server,
} from "./openapi-reader.js";

/** The kinds that the embedded server serves, by group version. */
export const servedKinds: Readonly<Record<string, readonly string[]>> = {
  v1: ["Namespace", "ConfigMap", "Secret", "Event"],
  "apps/v1": ["Deployment"],
  "coordination.k8s.io/v1": ["Lease"],
  "events.k8s.io/v1": ["Event"],
  "apiextensions.k8s.io/v1": ["CustomResourceDefinition"],
};

/** Components that every group version carries: answers and options that are no resources of their own. */
const sharedComponents = [
  "io.k8s.apimachinery.pkg.apis.meta.v1.DeleteOptions",
  "io.k8s.apimachinery.pkg.apis.meta.v1.Patch",
  "io.k8s.apimachinery.pkg.apis.meta.v1.Status",
];

const refPrefix = "#/components/schemas/";

/** Everything that the embedded server knows of its built-in kinds: sorted, without descriptions, the same bytes for the same server version. */
export async function readCompactApi(server: Server): Promise<unknown> {
  const resources: unknown[] = [];
  const schemas = new Map<string, unknown>();
  for (const [groupVersion, kinds] of Object.entries(servedKinds)) {
    const components = await readOpenApi(server, groupVersion);
    const listed = await readResources(server, groupVersion);
    const [group, version] = groupVersion.includes("/") ? groupVersion.split("/") : ["", groupVersion];
    for (const kind of kinds) {
      const main = listed.find((resource) => resource.kind === kind && !resource.name.includes("/"));
      if (!main) throw new Error(`Cannot find kind "${kind}" in "${groupVersion}"`);
      const schema = componentOf(components, group ?? "", version ?? "", kind);
      const list = componentOf(components, group ?? "", version ?? "", `${kind}List`);
      collect(components, schema, schemas);
      collect(components, list, schemas);
      resources.push(
        sorted({
          group,
          version,
          ...describe(main),
          schema,
          listSchema: list,
          subresources: subresourcesOf(listed, main),
        }),
      );
    }
    for (const shared of sharedComponents) collect(components, shared, schemas);
  }
  return {
    kubernetesVersion: await readVersion(server),
    resources,
    schemas: Object.fromEntries([...schemas].sort(([a], [b]) => (a < b ? -1 : 1))),
  };
}

function describe(resource: ListedResource): object {
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

function subresourcesOf(listed: readonly ListedResource[], main: ListedResource): unknown[] {
  return listed
    .filter((resource) => resource.name.startsWith(`${main.name}/`))
    .map((resource) =>
      sorted({
        name: resource.name.slice(main.name.length + 1),
        kind: resource.kind,
        verbs: [...resource.verbs].sort(),
        ...(resource.group === undefined ? {} : { group: resource.group }),
        ...(resource.version === undefined ? {} : { version: resource.version }),
      }),
    );
}

function componentOf(
  components: Readonly<Record<string, RawSchema>>,
  group: string,
  version: string,
  kind: string,
): string {
  for (const [name, schema] of Object.entries(components)) {
    const identities = schema["x-kubernetes-group-version-kind"];
    if (!Array.isArray(identities) || identities.length !== 1) continue;
    const [identity] = identities as { group: string; version: string; kind: string }[];
    if (identity?.group === group && identity.version === version && identity.kind === kind) return name;
  }
  throw new Error(`Cannot find the schema of kind "${kind}" in "${group}/${version}"`);
}

/** Adds a component and all that it reaches. */
function collect(components: Readonly<Record<string, RawSchema>>, name: string, into: Map<string, unknown>): void {
  if (into.has(name)) return;
  const schema = components[name];
  if (!schema) throw new Error(`Cannot find the component "${name}"`);
  into.set(name, undefined);
  into.set(
    name,
    compact(schema, false, (reached) => collect(components, reached, into)),
  );
}

/** Drops descriptions (but not properties that are called so), turns references into bare names, sorts keys. */
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

function sorted(value: object): object {
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}
