import { setOwn } from "./own-property.js";

/**
 * A shallow copy of an object, to be changed or frozen.
 *
 * Use it instead of a spread for objects that exist in large numbers: V8 creates for each spread object that is then changed or frozen its own
 * hidden class, which takes more memory than the object and makes reads megamorphic.
 */
export function copyFields<T>(object: { readonly [key: string]: T }): { [key: string]: T } {
  const copy: { [key: string]: T } = {};
  for (const key in object) setOwn(copy, key, object[key] as T);
  return copy;
}
