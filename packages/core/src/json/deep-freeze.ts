import type { DeepReadonly } from "./deep-readonly.js";

/**
 * Deep-freezes a JSON value in place and returns it.
 *
 * Skips frozen values, which must be deeply frozen, so that parts shared between objects cost nothing.
 */
export function deepFreeze<T>(value: T): DeepReadonly<T> {
  if (typeof value === "object" && value !== null) freeze(value);
  return value as DeepReadonly<T>;
}

/** Loops by key and index, because `Object.values` would cost more than freezing. */
function freeze(value: object): void {
  if (Object.isFrozen(value)) return;
  freezeParts(value);
  // Freeze last, so that lazily computed fields can still store their value.
  Object.freeze(value);
}

function freezeParts(value: object): void {
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++) {
      const item: unknown = value[index];
      if (typeof item === "object" && item !== null) freeze(item);
    }
    return;
  }
  const fields = value as Readonly<Record<string, unknown>>;
  for (const key in fields) {
    const field = fields[key];
    if (typeof field === "object" && field !== null) freeze(field);
  }
}
