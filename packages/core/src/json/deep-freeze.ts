import type { DeepReadonly } from "./deep-readonly.js";
import { deepestRecursion } from "./deepest-recursion.js";

/**
 * Deep-freezes a JSON value in place and returns it, however deep it is.
 *
 * Skips frozen values, which must be deeply frozen, so that parts shared between objects cost nothing.
 */
export function deepFreeze<T>(value: T): DeepReadonly<T> {
  if (typeof value === "object" && value !== null) {
    freeze(value, 0);
    for (let part = deeper.pop(); part !== undefined; part = deeper.pop()) freeze(part, 0);
  }
  return value as DeepReadonly<T>;
}

/** Parts below the deepest recursion; empty between calls. */
const deeper: object[] = [];

/** Loops by key and index, because `Object.values` would cost more than freezing. */
function freeze(value: object, depth: number): void {
  if (Object.isFrozen(value)) return;
  if (depth === deepestRecursion) {
    deeper.push(value);
    return;
  }
  freezeParts(value, depth + 1);
  // Freeze last, so that lazily computed fields can still store their value.
  Object.freeze(value);
}

function freezeParts(value: object, depth: number): void {
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++) {
      const item: unknown = value[index];
      if (typeof item === "object" && item !== null) freeze(item, depth);
    }
    return;
  }
  const fields = value as Readonly<Record<string, unknown>>;
  for (const key in fields) {
    const field = fields[key];
    if (typeof field === "object" && field !== null) freeze(field, depth);
  }
}
