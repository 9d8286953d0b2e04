/**
 * Orders two resource versions: below zero when `a` is older. They are decimal numbers, maybe longer than a double can hold.
 *
 * Versions of different servers, or of resources of different groups, say nothing about each other.
 */
export function compareResourceVersions(a: string, b: string): number {
  if (a.length !== b.length) return a.length < b.length ? -1 : 1;
  return a === b ? 0 : a < b ? -1 : 1;
}

/** Tells whether a text can be a resource version of an object: a decimal number without leading zeros, above zero. */
export function isResourceVersion(text: string): boolean {
  return /^[1-9][0-9]{0,38}$/.test(text);
}
