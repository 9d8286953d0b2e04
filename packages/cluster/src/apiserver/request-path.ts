/** A parsed path below `/api` or `/apis`. */
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
  /** The namespace segment of the path is empty. */
  readonly isBlankNamespace?: boolean;
  /** A deprecated watch path, `/api/v1/watch/...`. */
  readonly isWatch: boolean;
}

/** Subresources of a Namespace, which look like resources in it. */
const namespaceParts = ["status", "finalize"];

/** Maximum number of cached collection paths. */
const maxCollections = 256;

/** Parses request paths. Caches collection paths: there are few of them, and half of all writes use one. */
export class ResourcePathParser {
  readonly #collections = new Map<string, ResourcePath>();

  /** Parses `/api/<version>/...` and `/apis/<group>/<version>/...`; undefined for other paths. */
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

/** The rest of a proxy path is forwarded, so it is not parsed. */
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
