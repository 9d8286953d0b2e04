declare const storedPart: unique symbol;

/**
 * A part of a stored object, shared by a draft: decoded, with its defaults, and valid. Code replaces it and never changes it.
 *
 * What the store holds is frozen, and nothing else in a draft is.
 */
export type StoredPart<T> = T & { readonly [storedPart]: true };

/** Whether a value of a draft is a part of a stored object, so that it need not be decoded, defaulted or validated again. */
export function isStoredPart<T extends object>(value: T): value is StoredPart<T> {
  return Object.isFrozen(value);
}
