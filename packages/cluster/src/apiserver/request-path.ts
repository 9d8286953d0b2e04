/** What a path below `/api` and `/apis` names. */
export interface ResourcePath {
  readonly group: string;
  readonly version: string;
  /** Empty for cluster-scoped requests and for all namespaces. */
  readonly namespace: string;
  readonly plural: string;
  /** Empty for a collection. */
  readonly name: string;
  /** Empty for the object itself. */
  readonly subresource: string;
  /** A path of the old form, `/api/v1/watch/...`, which watches what the rest names. */
  readonly isWatch: boolean;
}

/** Parts of `/namespaces/<name>/` that belong to the namespace itself. */
const namespaceParts = ["status", "finalize"];

/** Paths of collections that were read: there are few, and half of all writes go to one. */
const collections = new Map<string, ResourcePath>();
const maxCollections = 256;

/** Reads `/api/<version>/...` and `/apis/<group>/<version>/...`; undefined when the path names no resource. */
export function parseResourcePath(path: string): ResourcePath | undefined {
  const known = collections.get(path);
  if (known !== undefined) return known;
  const parsed = parsePath(path);
  if (parsed?.name === "") {
    if (collections.size >= maxCollections) collections.clear();
    collections.set(path, parsed);
  }
  return parsed;
}

function parsePath(path: string): ResourcePath | undefined {
  const parts = decodeParts(path.split("/").slice(1));
  if (!parts) return undefined;
  if (parts.at(-1) === "") parts.pop();
  if (parts.includes("")) return undefined;
  const root = parts.shift();
  const group = root === "api" ? "" : root === "apis" ? parts.shift() : undefined;
  const version = parts.shift();
  if (group === undefined || version === undefined || parts.length === 0) return undefined;
  const isWatch = parts[0] === "watch" && parts.length > 1;
  if (isWatch) parts.shift();
  const [first = "", second, third = ""] = parts;
  if (first === "namespaces" && second !== undefined && parts.length > 2 && !namespaceParts.includes(third)) {
    const [, , plural = "", name = "", subresource = ""] = parts;
    return parts.length > 5 && !isProxied(group, subresource)
      ? undefined
      : { group, version, namespace: second, plural, name, subresource, isWatch };
  }
  if (parts.length > 3 && !isProxied(group, third)) return undefined;
  return { group, version, namespace: "", plural: first, name: second ?? "", subresource: third, isWatch };
}

/** What comes after it is a path of another server. */
function isProxied(group: string, subresource: string): boolean {
  return group === "" && subresource === "proxy";
}

/** Names may be escaped, but rarely are. */
function decodeParts(parts: string[]): string[] | undefined {
  if (!parts.some((part) => part.includes("%"))) return parts;
  try {
    return parts.map((part) => decodeURIComponent(part));
  } catch {
    return undefined;
  }
}
