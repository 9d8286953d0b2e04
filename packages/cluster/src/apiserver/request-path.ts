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
  /** Whether the path has room for a namespace, and names none there. */
  readonly isBlankNamespace?: boolean;
  /** A path of the old form, `/api/v1/watch/...`, which watches what the rest names. */
  readonly isWatch: boolean;
}

/** Parts of `/namespaces/<name>/` that belong to the namespace itself. */
const namespaceParts = ["status", "finalize"];

/** How many paths of collections a parser remembers. */
const maxCollections = 256;

/** Parses the paths of requests. Remembers those of collections: there are few, and half of all writes go to one. */
export class ResourcePathParser {
  readonly #collections = new Map<string, ResourcePath>();

  /** Parses `/api/<version>/...` and `/apis/<group>/<version>/...`; undefined when the path names no resource. */
  parse(path: string): ResourcePath | undefined {
    const known = this.#collections.get(path);
    if (known !== undefined) return known;
    const parsed = parsePath(path);
    if (parsed?.name === "") {
      if (this.#collections.size >= maxCollections) this.#collections.clear();
      this.#collections.set(path, parsed);
    }
    return parsed;
  }
}

function parsePath(path: string): ResourcePath | undefined {
  const parts = unescapePath(path)?.split("/").slice(1);
  if (!parts) return undefined;
  if (parts.at(-1) === "") parts.pop();
  const root = parts.shift();
  const group = root === "api" ? "" : root === "apis" ? parts.shift() : undefined;
  const version = parts.shift();
  if (group === undefined || version === undefined || parts.length === 0) return undefined;
  const isWatch = parts[0] === "watch" && parts.length > 1;
  if (isWatch) parts.shift();
  const [first = "", second, third = ""] = parts;
  const isBlankNamespace = first === "namespaces" && second === "" && parts.length > 2;
  if (parts.some((part, index) => part === "" && !(isBlankNamespace && index === 1))) return undefined;
  if (first === "namespaces" && second !== undefined && parts.length > 2 && !namespaceParts.includes(third)) {
    const [, , plural = "", name = "", subresource = ""] = parts;
    return parts.length > 5 && !isProxied(group, subresource)
      ? undefined
      : { group, version, namespace: second, plural, name, subresource, isWatch, isBlankNamespace };
  }
  if (parts.length > 3 && !isProxied(group, third)) return undefined;
  return { group, version, namespace: "", plural: first, name: second ?? "", subresource: third, isWatch };
}

/** The rest of such a path belongs to another server. */
function isProxied(group: string, subresource: string): boolean {
  return group === "" && subresource === "proxy";
}

/** Go decodes escapes before it splits the path. */
function unescapePath(path: string): string | undefined {
  if (!path.includes("%")) return path;
  try {
    return decodeURIComponent(path);
  } catch {
    return undefined;
  }
}
