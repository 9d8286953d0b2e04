/** Identifies an object of a kind. `namespace` is "" for cluster-scoped kinds. */
export interface ObjectKey {
  readonly namespace: string;
  readonly name: string;
}

/** `namespace/name`, or `name` without a namespace. */
export function formatKey(key: ObjectKey): string {
  return key.namespace === "" ? key.name : `${key.namespace}/${key.name}`;
}

/** The inverse of {@link formatKey}. */
export function parseKey(text: string): ObjectKey {
  const slash = text.indexOf("/");
  return slash < 0 ? { namespace: "", name: text } : { namespace: text.slice(0, slash), name: text.slice(slash + 1) };
}

/** The key of an object. */
export function keyOf(object: {
  readonly metadata: { readonly name: string; readonly namespace?: string };
}): ObjectKey {
  return { namespace: object.metadata.namespace ?? "", name: object.metadata.name };
}
