import type { AnyKind, ReadOf } from "../definition/index.js";

/** An event from a list or the watch after it. Objects are not frozen yet. */
export type WatchEvent<K extends AnyKind> =
  /** A list: exactly these objects exist. Missing ones were deleted. `mark` was taken when it began, if it is consistent: of the most recent state. */
  | {
      readonly type: "replaced";
      readonly objects: readonly ReadOf<K>[];
      readonly resourceVersion: string;
      readonly mark?: number | undefined;
    }
  | { readonly type: "added" | "modified" | "deleted"; readonly object: ReadOf<K>; readonly resourceVersion: string }
  /** No more changes up to this version. */
  | { readonly type: "bookmark"; readonly resourceVersion: string };
