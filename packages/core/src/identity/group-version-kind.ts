/** A kind of object in one version of its API group; the core group is "". */
export interface GroupVersionKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

/** The resource under which a server serves a kind. */
export interface GroupVersionResource {
  readonly group: string;
  readonly version: string;
  /** Plural, lower case: `deployments`. */
  readonly resource: string;
}

/** `apps/v1` for a group, `v1` for the core group. */
export function formatApiVersion(group: string, version: string): string {
  return group === "" ? version : `${group}/${version}`;
}

/** Splits `apps/v1` or `v1`; undefined if it has more than one slash or an empty part. */
export function parseApiVersion(apiVersion: string): { readonly group: string; readonly version: string } | undefined {
  const parts = apiVersion.split("/");
  if (parts.length > 2 || parts.some((part) => part === "")) return undefined;
  const [first = "", second] = parts;
  return second === undefined ? { group: "", version: first } : { group: first, version: second };
}

/** `deployments.apps`, or `configmaps` for the core group, as error messages name a resource. */
export function qualifiedResource(group: string, resource: string): string {
  return group === "" ? resource : `${resource}.${group}`;
}
