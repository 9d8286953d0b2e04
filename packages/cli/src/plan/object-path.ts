/** The parts of the path of a request for a resource. */
export interface ObjectPath {
  /** `/apis/apps/v1`. */
  readonly base: string;
  /** "" for a core kind. */
  readonly group: string;
  /** Undefined for a cluster-scoped object, and for a list of all namespaces. */
  readonly namespace: string | undefined;
  readonly resource: string;
  /** Undefined for a collection. */
  readonly name: string | undefined;
  readonly subresource: string | undefined;
}

const format =
  /^(\/api\/v1|\/apis\/([^/]+)\/[^/]+)(?:\/namespaces\/([^/]+)(?=\/[^/]+))?\/([^/]+)(?:\/([^/]+)(?:\/(.+))?)?$/;

/** Parses the path of a resource; undefined for any other, such as `/version`. */
export function parseObjectPath(path: string): ObjectPath | undefined {
  const [, base, group = "", namespace, resource, name, subresource] = format.exec(path) ?? [];
  if (base === undefined || resource === undefined) return undefined;
  // `/api/v1/namespaces/shop/status` and `/finalize` are of the Namespace itself.
  if (base === "/api/v1" && namespace !== undefined && (resource === "status" || resource === "finalize"))
    return { base, group, namespace: undefined, resource: "namespaces", name: namespace, subresource: resource };
  return { base, group, namespace, resource, name, subresource };
}

/** Identifies an object, whatever was requested of it. */
export function objectId({ base, namespace, resource }: ObjectPath, name: string): string {
  return `${base}/${namespace === undefined ? "" : `namespaces/${namespace}/`}${resource}/${name}`;
}
