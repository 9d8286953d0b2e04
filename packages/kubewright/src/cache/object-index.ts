import type { AnyKind, ReadOf } from "../definition/index.js";
import type { IndexValues } from "./store.js";

/**
 * Under which values objects of a kind are found; undefined for none. Must be quick, must not throw, and must give the same for the same object.
 *
 * A method, so that indexes of all kinds fit in one list.
 */
export type IndexBy<K extends AnyKind> = {
  by(object: ReadOf<K>): IndexValues;
}["by"];

/** An index of a selection. */
export interface ObjectIndex {
  /** Equal for indexes that are one and the same function, whatever the selection. */
  readonly id: string;
  /** None where the function fails, of which `onError` is told. Never throws. */
  readonly valuesOf: (
    object: ReadOf<AnyKind>,
    onError?: (error: unknown, object: ReadOf<AnyKind>) => void,
  ) => IndexValues;
}

const ids = new WeakMap<object, number>();
let made = 0;

/** Makes the index that a function describes. */
export function objectIndex(by: IndexBy<AnyKind>): ObjectIndex {
  const known = ids.get(by) ?? ++made;
  ids.set(by, known);
  return {
    id: `by ${known}`,
    valuesOf: (object, onError) => {
      try {
        return by(object);
      } catch (error) {
        onError?.(error, object);
        return undefined;
      }
    },
  };
}
