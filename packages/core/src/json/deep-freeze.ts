import type { DeepReadonly } from "./deep-readonly.js";

/**
 * Freezes a JSON value all the way down, in place, and gives it back.
 *
 * Stops at what is frozen already: such a value must be frozen to its depth, so that sharing parts between objects costs nothing.
 */
export function deepFreeze<T>(value: T): DeepReadonly<T> {
  freeze(value);
  return value as DeepReadonly<T>;
}

function freeze(value: unknown): void {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return;
  Object.freeze(value);
  if (Array.isArray(value)) {
    for (const item of value) freeze(item);
  } else {
    for (const field of Object.values(value)) freeze(field);
  }
}
