import { isJsonObject, type JsonObject } from "@kubewright/core/json";
import type { StoredRecord } from "./record.js";
import type { Store } from "./store.js";

/** All objects of a cluster at one revision. */
export interface Snapshot {
  /** The revision at which it was taken. */
  readonly revision: number;
}

/** A {@link Snapshot} of a store. It shares the stored values: taking it copies no object. */
export class StoreSnapshot implements Snapshot {
  readonly revision: number;
  readonly #buckets: ReadonlyMap<string, readonly StoredRecord[]>;

  private constructor(revision: number, buckets: ReadonlyMap<string, readonly StoredRecord[]>) {
    this.revision = revision;
    this.#buckets = buckets;
  }

  /** Takes a snapshot of every bucket. */
  static of(store: Store): StoreSnapshot {
    const buckets = new Map<string, StoredRecord[]>();
    store.replay((bucket, { key, revision, object }) => {
      const records = buckets.get(bucket) ?? [];
      records.push({ key, revision, object });
      buckets.set(bucket, records);
    });
    return new StoreSnapshot(store.revision, buckets);
  }

  /**
   * Writes the objects of the buckets that `includes` accepts back, with their uids and times and a new resourceVersion, and deletes all others of these
   * buckets, whatever their finalizers. Unchanged objects are not written. Watchers see the changes.
   */
  restore(store: Store, includes: (bucket: string) => boolean): void {
    const current = StoreSnapshot.of(store);
    for (const [bucket, records] of this.#buckets) {
      if (!includes(bucket)) continue;
      for (const { key, revision, object } of records) {
        const expected = store.bucket(bucket).get(key)?.revision ?? 0;
        if (expected !== revision) store.put(bucket, key, expected, (version) => at(object, version));
      }
    }
    for (const [bucket, records] of current.#buckets) {
      if (!includes(bucket)) continue;
      const kept = new Set(this.#buckets.get(bucket)?.map(({ key }) => key));
      for (const { key, revision, object } of records)
        if (!kept.has(key)) store.delete(bucket, key, revision, (version) => at(object, version));
    }
  }
}

function at(object: JsonObject, revision: number): JsonObject {
  const metadata = isJsonObject(object["metadata"]) ? object["metadata"] : {};
  return { ...object, metadata: { ...metadata, resourceVersion: String(revision) } };
}
