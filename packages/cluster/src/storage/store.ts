import { deepFreeze, type JsonObject } from "@kubewright/core/json";
import { Bucket } from "./bucket.js";
import type { Change, StoredRecord } from "./record.js";

/** How much a store remembers. */
export interface StoreOptions {
  /** How many changes of each resource are kept for watches that resume. @default 10_000 */
  readonly historyLimit?: number;
}

/** A write that lost against another one: the record is no longer at the revision that the writer read. */
export interface Lost {
  readonly kind: "lost";
  readonly current: StoredRecord | undefined;
}

/** Told after every write, in the order of revisions, before the writer goes on. */
export type StoreListener = (bucket: string, change: Change) => void;

/**
 * Every object of a cluster in memory, under one strictly increasing revision.
 *
 * Writes are compare-and-swap. Values are frozen when they are written, and those very values are read.
 */
export class Store {
  readonly #buckets = new Map<string, Bucket>();
  readonly #dropped = new Set<string>();
  readonly #listeners = new Set<StoreListener>();
  readonly #historyLimit: number;
  #revision = 1;

  constructor({ historyLimit = 10_000 }: StoreOptions = {}) {
    this.#historyLimit = historyLimit;
  }

  /** The revision of the latest write. */
  get revision(): number {
    return this.#revision;
  }

  /** Every watcher of every bucket has been handed what there is, and waits. */
  get idle(): boolean {
    for (const bucket of this.#buckets.values()) if (!bucket.idle) return false;
    return true;
  }

  /** The bucket of a resource; made when it is first asked for. */
  bucket(name: string): Bucket {
    let bucket = this.#buckets.get(name);
    if (!bucket) {
      // A new bucket knows its whole past (nothing was ever written to it), one that was dropped before does not.
      bucket = new Bucket(this.#historyLimit, this.#dropped.has(name) ? this.#revision : 0);
      this.#buckets.set(name, bucket);
    }
    return bucket;
  }

  /**
   * Writes an object, if its record is still at `expected` (0: not there).
   *
   * `make` is given the revision that the write gets, and gives the whole object, which is frozen.
   */
  put(name: string, key: string, expected: number, make: (revision: number) => JsonObject): StoredRecord | Lost {
    const bucket = this.bucket(name);
    const previous = bucket.get(key);
    if ((previous?.revision ?? 0) !== expected) return { kind: "lost", current: previous };
    const revision = this.#revision + 1;
    const object = deepFreeze(make(revision)) as JsonObject;
    this.#revision = revision;
    this.#append(name, bucket, { kind: "put", key, revision, object, previous });
    return { key, revision, object };
  }

  /** Removes an object, if its record is still at `expected`. `make` gives its last state. */
  delete(name: string, key: string, expected: number, make: (revision: number) => JsonObject): StoredRecord | Lost {
    const bucket = this.bucket(name);
    const previous = bucket.get(key);
    if (!previous || previous.revision !== expected) return { kind: "lost", current: previous };
    const revision = this.#revision + 1;
    const object = deepFreeze(make(revision)) as JsonObject;
    this.#revision = revision;
    this.#append(name, bucket, { kind: "delete", key, revision, object, previous });
    return { key, revision, object };
  }

  /** Calls `listener` after every write, until the function that it gives back is called. */
  listen(listener: StoreListener): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Forgets history up to `revision` in every bucket. */
  compact(revision: number): void {
    for (const bucket of this.#buckets.values()) bucket.compact(Math.min(revision, this.#revision));
  }

  /** Ends the watches of one bucket and forgets it: its resource is no longer served. */
  drop(name: string): void {
    this.#buckets.get(name)?.close();
    if (this.#buckets.delete(name)) this.#dropped.add(name);
  }

  /** Ends every watch. */
  close(): void {
    for (const bucket of this.#buckets.values()) bucket.close();
    this.#listeners.clear();
  }

  #append(name: string, bucket: Bucket, change: Change): void {
    bucket.append(change);
    for (const listener of this.#listeners) listener(name, change);
    bucket.announce();
  }
}

/** Tells a lost write from a record. */
export function isLost(result: StoredRecord | Lost): result is Lost {
  return "kind" in result && result.kind === "lost";
}
