/** The parts of an OpenAPI v3 document of an API server that types are made from. */
export interface OpenApiDocument {
  readonly components: { readonly schemas: Readonly<Record<string, OpenApiSchema>> };
  readonly paths: Readonly<Record<string, OpenApiPath>>;
}

/** A schema as it stands in the document, references not followed. */
export interface OpenApiSchema {
  readonly $ref?: string;
  readonly allOf?: readonly OpenApiSchema[];
  readonly type?: string;
  readonly format?: string;
  readonly enum?: readonly string[];
  readonly properties?: Readonly<Record<string, OpenApiSchema>>;
  readonly required?: readonly string[];
  readonly items?: OpenApiSchema;
  readonly additionalProperties?: OpenApiSchema | boolean;
  readonly "x-kubernetes-group-version-kind"?: readonly GroupVersionKind[];
}

/** Names a kind, as OpenAPI extensions do. */
export interface GroupVersionKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

interface OpenApiPath {
  readonly get?: OpenApiOperation;
  readonly post?: OpenApiOperation;
}

interface OpenApiOperation {
  readonly "x-kubernetes-action"?: string;
  readonly "x-kubernetes-group-version-kind"?: GroupVersionKind;
}

/** A kind that a group version serves as a collection. */
export interface ServedKind extends GroupVersionKind {
  readonly plural: string;
  readonly scope: "Namespaced" | "Cluster";
  readonly schemaName: string;
}

/** The kinds that have a collection in this group version: one can list them, or (reviews) at least create them. By name. */
export function servedKinds(document: OpenApiDocument, prefix: string): ServedKind[] {
  const kinds = new Map<string, ServedKind>();
  for (const [path, { get, post }] of Object.entries(document.paths)) {
    const operation =
      get?.["x-kubernetes-action"] === "list" ? get : post?.["x-kubernetes-action"] === "post" ? post : undefined;
    const gvk = operation?.["x-kubernetes-group-version-kind"];
    const plural = /^(?:\/namespaces\/\{namespace\})?\/([a-z]+)$/.exec(path.slice(prefix.length))?.[1];
    const schemaName = gvk && schemaOfKind(document, gvk);
    if (gvk === undefined || plural === undefined || schemaName === undefined) continue;
    const namespaced = path.includes("{namespace}") || kinds.get(gvk.kind)?.scope === "Namespaced";
    kinds.set(gvk.kind, { ...gvk, plural, scope: namespaced ? "Namespaced" : "Cluster", schemaName });
  }
  return [...kinds.values()].sort((a, b) => (a.kind < b.kind ? -1 : 1));
}

/** The schemas of bodies that only subresources take or give, such as Scale and Eviction: types without a handle. */
export function subresourceBodies(document: OpenApiDocument): string[] {
  const operations = Object.values(document.paths).flatMap(({ get, post }) => [get, post]);
  const names = operations.map((operation) => {
    const gvk = operation?.["x-kubernetes-group-version-kind"];
    return gvk && schemaOfKind(document, gvk);
  });
  return [...new Set(names.filter((name) => name !== undefined))];
}

function schemaOfKind(document: OpenApiDocument, gvk: GroupVersionKind): string | undefined {
  return Object.entries(document.components.schemas).find(([, schema]) => {
    const kinds = schema["x-kubernetes-group-version-kind"];
    return (
      kinds?.length === 1 &&
      kinds[0]?.kind === gvk.kind &&
      kinds[0].group === gvk.group &&
      kinds[0].version === gvk.version
    );
  })?.[0];
}

/** The name of the schema that this one refers to, directly or through a single `allOf`. */
export function referenceOf(schema: OpenApiSchema): string | undefined {
  const reference = schema.$ref ?? (schema.allOf?.length === 1 ? schema.allOf[0]?.$ref : undefined);
  return reference?.slice("#/components/schemas/".length);
}
