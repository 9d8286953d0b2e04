/** An object that may have managedFields. */
interface Managed {
  readonly metadata?: unknown;
}

/**
 * Removes `metadata.managedFields`. Returns the same object if it has none, else a copy that shares all other fields.
 *
 * If the object is frozen, the copied levels are frozen too.
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
