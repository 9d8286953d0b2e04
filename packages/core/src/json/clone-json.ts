import { setOwn } from "./own-property.js";

/** A mutable deep copy of a JSON value, which may be frozen, however deep it is. Accepts JSON values only. */
export function cloneJson<T>(value: T): T {
  try {
    return copy(value) as T;
  } catch (error) {
    // Too deep for the call stack, which hardly any value is: counting the depth would cost each copy a third of its time.
    if (error instanceof RangeError) return copyByLevel(value) as T;
    throw error;
  }
}

function copy(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) {
    const items: unknown[] = new Array(value.length);
    for (let index = 0; index < value.length; index++) items[index] = copy(value[index]);
    return items;
  }
  const fields: Record<string, unknown> = {};
  for (const key of Object.keys(value)) {
    const field = (value as Readonly<Record<string, unknown>>)[key];
    setOwn(fields, key, typeof field === "object" && field !== null ? copy(field) : field);
  }
  return fields;
}

function copyByLevel(value: unknown): unknown {
  const root: Record<string, unknown> = { value };
  const unfinished = [root];
  for (let made = unfinished.pop(); made !== undefined; made = unfinished.pop()) {
    for (const key of Object.keys(made)) {
      const part = made[key];
      if (typeof part !== "object" || part === null) continue;
      const shallow = (Array.isArray(part) ? [...part] : { ...part }) as Record<string, unknown>;
      setOwn(made, key, shallow);
      unfinished.push(shallow);
    }
  }
  return root["value"];
}
