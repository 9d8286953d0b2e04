import type { AnyKind, ReadOf } from "../definition/index.js";
import type { IndexValues } from "./store.js";

/**
 * Returns the index values of an object; undefined for none. Must be fast and deterministic, and must not throw.
 *
 * Declared as a method, so that functions of all kinds are assignable to one list.
 */
export type IndexBy<K extends AnyKind> = {
  by(object: ReadOf<K>): IndexValues;
}["by"];

/** An index of a selection. */
export interface ObjectIndex {
  /** Equal for indexes with the same function, across selections. */
  readonly id: string;
  /** Returns undefined if the function throws or returns anything but strings, and calls `onError`. Never throws. */
  readonly valuesOf: (
    object: ReadOf<AnyKind>,
    onError?: (error: unknown, object: ReadOf<AnyKind>) => void,
  ) => IndexValues;
}

const ids = new WeakMap<object, number>();
let made = 0;

/** Creates an index from an index function. */
export function objectIndex(by: IndexBy<AnyKind>): ObjectIndex {
  const known = ids.get(by) ?? ++made;
  ids.set(by, known);
  return {
    id: `by ${known}`,
    valuesOf: (object, onError) => {
      try {
        const values: unknown = by(object);
        if (values === undefined || typeof values === "string") return values;
        if (Array.isArray(values) && values.every((value) => typeof value === "string")) return values;
        throw new TypeError(`Cannot index an object by ${typeof values}: an index function returns strings`);
      } catch (error) {
        onError?.(error, object);
        return undefined;
      }
    },
  };
}
