/** What may carry a record of who manages its fields. */
interface Managed {
  readonly metadata?: unknown;
}

/**
 * The object without `metadata.managedFields`: itself where it has none, else a copy that shares everything below its metadata.
 *
 * A copy of a frozen object is frozen as far as it was copied.
 */
export function withoutManagedFields<T extends object>(object: T): T {
  const { metadata } = object as Managed;
  if (typeof metadata !== "object" || metadata === null || !("managedFields" in metadata)) return object;
  const { managedFields: _, ...kept } = metadata;
  const copy = { ...object, metadata: kept };
  if (!Object.isFrozen(object)) return copy;
  Object.freeze(kept);
  return Object.freeze(copy);
}
