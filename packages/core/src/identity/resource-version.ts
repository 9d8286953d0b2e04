/**
 * Compares two resourceVersions: negative if `a` is older. They are decimal numbers that may exceed a double.
 *
 * resourceVersions of different servers, or of resources of different groups, are not comparable.
 */
export function compareResourceVersions(a: string, b: string): number {
  if (a.length !== b.length) return a.length < b.length ? -1 : 1;
  return a === b ? 0 : a < b ? -1 : 1;
}

/** Whether a string can be the resourceVersion of an object: a decimal number above zero, without leading zeros. */
export function isResourceVersion(text: string): boolean {
  return /^[1-9][0-9]{0,38}$/.test(text);
}
