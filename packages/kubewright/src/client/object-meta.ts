import type { ObjectMeta } from "@kubewright/core/identity";

/** The metadata of an object whose kind is known only as a type parameter. The object must have come from a server. */
export function objectMeta(object: unknown): ObjectMeta {
  return (object as { readonly metadata: ObjectMeta }).metadata;
}

/** Decimal, or none. Aggregated API servers may have opaque resourceVersions. */
const comparable = /^\d*$/;

/**
 * Whether resourceVersion `a` is older than `b`. They are decimal numbers that may exceed a double; no version is older than any. An opaque version
 * is never older: reads then show the latest state from the watch, and no earlier write hides it.
 */
export function isOlderVersion(a: string, b: string): boolean {
  if (!comparable.test(a) || !comparable.test(b)) return false;
  return a.length === b.length ? a < b : a.length < b.length;
}
