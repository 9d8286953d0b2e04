import type { AnyKind, ReadOf } from "../definition/index.js";

/** What arrives from a list and the watch after it. Objects are not frozen yet. */
export type WatchEvent<K extends AnyKind> =
  /** A list was read: these objects, and no others, are there. What is missing was deleted meanwhile. */
  | { readonly type: "replaced"; readonly objects: readonly ReadOf<K>[]; readonly resourceVersion: string }
  | { readonly type: "added" | "modified" | "deleted"; readonly object: ReadOf<K>; readonly resourceVersion: string }
  /** Nothing happened up to this version. */
  | { readonly type: "bookmark"; readonly resourceVersion: string };
