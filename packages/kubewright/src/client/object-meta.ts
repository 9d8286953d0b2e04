import type { ObjectMeta } from "@kubewright/core/identity";

/** The metadata of an object whose kind is known only as a type parameter. The object must have come from a server. */
export function objectMeta(object: unknown): ObjectMeta {
  return (object as { readonly metadata: ObjectMeta }).metadata;
}

/** Whether resource version `a` is older than `b`. They are decimal numbers that may be longer than a double can hold. */
export function isOlderVersion(a: string, b: string): boolean {
  return a.length === b.length ? a < b : a.length < b.length;
}
