/** The version without a leading `v`. */
export function plainVersion(version: string): string {
  return version.replace(/^v/, "");
}

function numbersOf(version: string): readonly [number, number, number] {
  const [major = 0, minor = 0, patch = 0] = (plainVersion(version).split("-")[0] ?? "").split(".").map(Number);
  return [major, minor, patch];
}

/** Negative if `a` is older than `b`. Suffixes such as `-rc.1` do not count. */
export function compareVersions(a: string, b: string): number {
  const [one, other] = [numbersOf(a), numbersOf(b)];
  return one[0] - other[0] || one[1] - other[1] || one[2] - other[2];
}

/** Whether the minor version of `a` is at most one above that of `b`. */
export function isOneMinorApart(a: string, b: string): boolean {
  const [one, other] = [numbersOf(a), numbersOf(b)];
  return one[0] === other[0] && one[1] - other[1] <= 1;
}

/** The lowest of some versions. */
export function lowestVersion(versions: readonly string[]): string | undefined {
  return versions.toSorted(compareVersions)[0];
}

/**
 * Why members that report `serverVersion` cannot be upgraded to `wanted`; undefined if they can.
 *
 * The definition has the same rule in CEL. This one is for objects that were stored without it. `currentVersion` is always allowed: it returns from an
 * upgrade that has not reached every member, which etcd supports, and it may be the tag of an image that contains a newer etcd.
 */
export function whyNotUpgradable(
  wanted: string,
  {
    currentVersion,
    serverVersion,
  }: { readonly currentVersion?: string | undefined; readonly serverVersion?: string | undefined },
): string | undefined {
  if (serverVersion === undefined || plainVersion(wanted) === currentVersion) return undefined;
  if (compareVersions(wanted, serverVersion) < 0)
    return `etcd cannot be downgraded from ${serverVersion} to ${plainVersion(wanted)}: restore a backup into a cluster of the older version`;
  if (!isOneMinorApart(wanted, serverVersion))
    return `etcd is upgraded by one minor version at a time: the members run ${serverVersion}, the spec has ${plainVersion(wanted)}`;
  return undefined;
}
