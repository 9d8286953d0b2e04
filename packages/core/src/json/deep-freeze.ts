import type { DeepReadonly } from "./deep-readonly.js";

/**
 * Freezes a JSON value all the way down, in place, and gives it back.
 *
 * Stops at what is frozen already: such a value must be frozen to its depth, so that sharing parts between objects costs nothing.
 */
export function deepFreeze<T>(value: T): DeepReadonly<T> {
  if (typeof value === "object" && value !== null) freeze(value);
  return value as DeepReadonly<T>;
}

/** Objects have hundreds of parts each: loops by key and by index, because a list of values for each costs more than freezing it. */
function freeze(value: object): void {
  if (Object.isFrozen(value)) return;
  freezeParts(value);
  // After its parts: what a field computes when it is first read has its place by then.
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
