import type { AnyKind, ReadOf } from "../definition/index.js";

/** A change of the cache. Objects are frozen before user code gets them. */
export type Change<K extends AnyKind> =
  /** `initial`: from the initial list. */
  | { readonly kind: "added"; readonly old?: undefined; readonly new: ReadOf<K>; readonly initial: boolean }
  /** `listed`: from a relist, so that changes in between may have been missed. */
  | { readonly kind: "updated"; readonly old: ReadOf<K>; readonly new: ReadOf<K>; readonly listed: boolean }
  /** `tombstone`: the delete event was missed; `old` is the last observed state, not the final one. */
  | { readonly kind: "deleted"; readonly old: ReadOf<K>; readonly new?: undefined; readonly tombstone: boolean };
