import type { DeepReadonly } from "@kubewright/core/json";

/**
 * Freezes an answer all the way down, in place, and gives it back. Stops at what is frozen already, as the embedded server's values are.
 *
 * Answers hold hundreds of objects each, so this is on the hot path of every list: loops by key and by index, because a list of values for each object
 * costs three times the freezing itself.
 */
export function freezeAnswer<T>(value: T): DeepReadonly<T> {
  if (typeof value === "object" && value !== null) freeze(value);
  return value as DeepReadonly<T>;
}

function freeze(value: object): void {
  if (Object.isFrozen(value)) return;
  Object.freeze(value);
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
