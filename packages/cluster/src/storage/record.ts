import type { JsonObject } from "@kubewright/core/json";

/** One stored object: frozen, shared, never copied. */
export interface StoredRecord {
  /** `namespace/name`, or `name` for cluster-scoped kinds. Records of a bucket are ordered by it. */
  readonly key: string;
  /** The revision at which the object was written. */
  readonly revision: number;
  /** The object itself. Its `metadata.resourceVersion` is `revision`. */
  readonly object: JsonObject;
}

/** One write, as watchers see it. */
export interface Change {
  readonly kind: "put" | "delete";
  readonly key: string;
  readonly revision: number;
  /** The object after a put; the last state, carrying the deletion's revision, after a delete. */
  readonly object: JsonObject;
  /** What was there before; undefined for a new object. */
  readonly previous: StoredRecord | undefined;
}
