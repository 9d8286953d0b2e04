import type { AnyKind, ReadOf } from "../definition/index.js";

/** What changed in the local copy. Objects are frozen before anyone outside the framework is given them. */
export type Change<K extends AnyKind> =
  /** `initial`: it was there already when we began to look. */
  | { readonly kind: "added"; readonly old?: undefined; readonly new: ReadOf<K>; readonly initial: boolean }
  | { readonly kind: "updated"; readonly old: ReadOf<K>; readonly new: ReadOf<K> }
  /** `tombstone`: the delete itself was missed, `old` is the last state that was seen, not the final one. */
  | { readonly kind: "deleted"; readonly old: ReadOf<K>; readonly new?: undefined; readonly tombstone: boolean };
