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
  readonly get?: {
    readonly "x-kubernetes-action"?: string;
    readonly "x-kubernetes-group-version-kind"?: GroupVersionKind;
  };
}

/** A kind that a group version serves as a collection. */
export interface ServedKind extends GroupVersionKind {
  readonly plural: string;
  readonly scope: "Namespaced" | "Cluster";
  readonly schemaName: string;
}

/** The kinds that one can list in this group version, by name. */
export function servedKinds(document: OpenApiDocument, prefix: string): ServedKind[] {
  const kinds = new Map<string, ServedKind>();
  for (const [path, { get }] of Object.entries(document.paths)) {
    const gvk = get?.["x-kubernetes-group-version-kind"];
    if (get?.["x-kubernetes-action"] !== "list" || gvk === undefined) continue;
    const match = /^(?:\/namespaces\/\{namespace\})?\/([a-z]+)$/.exec(path.slice(prefix.length));
    const plural = match?.[1];
    if (plural === undefined) continue;
    const schemaName = schemaOfKind(document, gvk);
    const known = kinds.get(gvk.kind);
    const namespaced = path.includes("{namespace}") || known?.scope === "Namespaced";
    if (schemaName !== undefined)
      kinds.set(gvk.kind, { ...gvk, plural, scope: namespaced ? "Namespaced" : "Cluster", schemaName });
  }
  return [...kinds.values()].sort((a, b) => (a.kind < b.kind ? -1 : 1));
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
