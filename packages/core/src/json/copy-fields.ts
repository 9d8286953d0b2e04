import { setOwn } from "./own-property.js";

/**
 * A copy of an object with the same values, to be changed or frozen.
 *
 * In place of a spread wherever objects come in numbers: V8 gives each spread object that is then changed or frozen a hidden class of its
 * own, which takes more memory than the object, and makes whoever reads it later slow.
 */
export function copyFields<T>(object: { readonly [key: string]: T }): { [key: string]: T } {
  const copy: { [key: string]: T } = {};
  for (const key in object) setOwn(copy, key, object[key] as T);
  return copy;
}
