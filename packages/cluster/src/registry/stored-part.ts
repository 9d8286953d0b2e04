declare const storedPart: unique symbol;

/**
 * A part of a stored object that a draft shares: decoded, defaulted and valid. It may be replaced, but never changed.
 *
 * Stored objects are frozen, and nothing else in a draft is.
 */
export type StoredPart<T> = T & { readonly [storedPart]: true };

/** Whether a value of a draft is a part of a stored object: it is not decoded, defaulted or validated again. */
export function isStoredPart<T extends object>(value: T): value is StoredPart<T> {
  return Object.isFrozen(value);
}
