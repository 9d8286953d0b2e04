/** A package in `package-lock.json`, as far as it is checked. */
export interface LockEntry {
  readonly resolved?: string;
  readonly link?: boolean;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

/**
 * What makes `npm ci` fail on another platform or with another registry: one line per defect.
 *
 * npm records a platform binding only if the registry carries it at the time of locking, and `npm ci` rejects a lock file without it.
 */
export function lockDefects(packages: Readonly<Record<string, LockEntry>>): string[] {
  return Object.entries(packages).flatMap(([path, { resolved, link, optionalDependencies = {} }]) => [
    ...Object.keys(optionalDependencies)
      .filter((name) => lockedPath(packages, path, name) === undefined)
      .map((name) => `"${path}" depends on "${name}", which has no entry`),
    ...(resolved !== undefined && !link ? [`"${path}" is bound to "${resolved}"`] : []),
  ]);
}

/** The entry that `name` resolves to from the package at `path`, by Node's rule: the nearest node_modules first. */
export function lockedPath(
  packages: Readonly<Record<string, unknown>>,
  path: string,
  name: string,
): string | undefined {
  for (let from = path; ; from = from.slice(0, Math.max(from.lastIndexOf("/"), 0))) {
    const candidate = `${from === "" ? "" : `${from}/`}node_modules/${name}`;
    if (candidate in packages) return candidate;
    if (from === "") return undefined;
  }
}
