import type { JsonObject } from "@kubewright/core/json";

/** A stored object: frozen, shared, never copied. */
export interface StoredRecord {
  /** `namespace/name`, or `name` for cluster-scoped kinds. Records of a bucket are ordered by it. */
  readonly key: string;
  /** The revision of the write. */
  readonly revision: number;
  /** Its `metadata.resourceVersion` is `revision`. */
  readonly object: JsonObject;
}

/** A write, as watchers see it. */
export interface Change {
  readonly kind: "put" | "delete";
  readonly key: string;
  readonly revision: number;
  /** The new state after a put; the last state, with the revision of the deletion, after a delete. */
  readonly object: JsonObject;
  /** The record before the write; undefined for a new object. */
  readonly previous: StoredRecord | undefined;
}
