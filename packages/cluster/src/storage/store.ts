import type { JsonObject } from "@kubewright/core/json";
import { Bucket } from "./bucket.js";
import { freezeNew } from "./freeze-new.js";
import type { Journal } from "./journal.js";
import type { Change, StoredRecord } from "./record.js";
import { SharedRecords } from "./shared-records.js";

/** History limits and journal of a store. */
export interface StoreOptions {
  /** Number of changes per resource kept for resumed watches. @default 10_000 */
  readonly historyLimit?: number;
  /** Approximate size limit of the kept changes per resource in bytes. @default 67_108_864 */
  readonly historyLimitBytes?: number;
  /** Persists writes. @default memory only */
  readonly journal?: Journal;
}

/** A failed compare-and-swap: the record is no longer at the expected revision. */
export interface Lost {
  readonly kind: "lost";
  readonly current: StoredRecord | undefined;
}

/** Objects that are made when one of their buckets is first used. */
export type SeededRecords = () => readonly { readonly bucket: string; readonly record: StoredRecord }[];

interface Seed {
  readonly buckets: readonly string[];
  readonly make: SeededRecords;
  /** The last reserved revision. */
  readonly revision: number;
}

/** Called synchronously after every write, in revision order. */
export type StoreListener = (bucket: string, change: Change) => void;

/**
 * All objects of a cluster in memory, under one strictly increasing revision.
 *
 * Writes are compare-and-swap. Values are frozen on write, and reads return those same values. With a journal, reads see a write at once,
 * but watchers see it, and {@link durable} resolves, only when it is on disk. Await `durable` before responding, so that no client sees a
 * write that a crash can lose.
 */
export class Store {
  readonly #buckets = new Map<string, Bucket>();
  readonly #dropped = new Set<string>();
  /** Buckets whose objects are made on first use. */
  readonly #seeds = new Map<string, Seed>();
  readonly #listeners = new Set<StoreListener>();
  readonly #shared = new SharedRecords();
  readonly #historyLimit: number;
  readonly #historyLimitBytes: number;
  readonly #journal: Journal | undefined;
  /** History starts here: a restart compacts everything before it. */
  readonly #firstRevision: number = 0;
  #revision = 1;

  constructor({ historyLimit = 10_000, historyLimitBytes = 67_108_864, journal }: StoreOptions = {}) {
    this.#historyLimit = historyLimit;
    this.#historyLimitBytes = historyLimitBytes;
    this.#journal = journal;
    if (!journal) return;
    const { revision, records } = journal.load();
    if (revision > 0) {
      this.#revision = revision;
      this.#firstRevision = revision;
    }
    for (const { bucket, key, revision: written, object } of records) {
      freezeNew(this.#shared.share(object));
      this.bucket(bucket).restore({ key, revision: written, object });
    }
  }

  /** The revision of the latest write. */
  get revision(): number {
    return this.#revision;
  }

  /** The latest revision that watchers may see: with a journal, the latest on disk. */
  get visibleRevision(): number {
    return this.#journal ? this.#journal.durable : this.#revision;
  }

  /** True if there was no persisted state. */
  get isNew(): boolean {
    return this.#firstRevision === 0;
  }

  /** Every watcher has read all changes and waits, and every write is on disk. */
  get idle(): boolean {
    if (this.visibleRevision < this.#revision) return false;
    for (const bucket of this.#buckets.values()) if (!bucket.idle) return false;
    return true;
  }

  /** Whether writes are persisted: a response then waits for {@link durable}. */
  get isPersistent(): boolean {
    return this.#journal !== undefined;
  }

  /** Resolves when the current state is on disk, rejects after a write failure; undefined without a journal. */
  durable(): Promise<void> | undefined {
    return this.#journal?.whenDurable(this.#revision);
  }

  /** Reserves revisions for {@link seed}. Returns the first one. */
  reserve(count: number): number {
    const first = this.#revision + 1;
    this.#revision += count;
    return first;
  }

  /**
   * Sets the objects of buckets that nothing has used yet. They are made when one of the buckets is first used, with reserved revisions; listeners are
   * not called. Not for a store with a journal.
   */
  seed(buckets: readonly string[], make: SeededRecords): void {
    const seed = { buckets, make, revision: this.#revision };
    for (const name of buckets) this.#seeds.set(name, seed);
  }

  #plant({ buckets, make }: Seed): void {
    const made = buckets.map((name) => this.#create(name));
    for (const name of buckets) this.#seeds.delete(name);
    for (const { bucket, record } of make()) {
      freezeNew(this.#shared.share(record.object));
      made[buckets.indexOf(bucket)]?.restore(record);
    }
  }

  /** The bucket of a resource, created on first use. */
  bucket(name: string): Bucket {
    const bucket = this.#buckets.get(name);
    if (bucket) return bucket;
    const seed = this.#seeds.get(name);
    if (seed === undefined) return this.#create(name);
    this.#plant(seed);
    return this.bucket(name);
  }

  #create(name: string): Bucket {
    let bucket = this.#buckets.get(name);
    if (!bucket) {
      bucket = new Bucket({
        historyLimit: this.#historyLimit,
        historyLimitBytes: this.#historyLimitBytes,
        // A new bucket has its complete, empty history. One that was dropped before does not.
        compacted: this.#dropped.has(name) ? this.#revision : (this.#seeds.get(name)?.revision ?? this.#firstRevision),
        visible: () => this.visibleRevision,
      });
      this.#buckets.set(name, bucket);
    }
    return bucket;
  }

  /**
   * Writes an object if its record is still at revision `expected` (0: it does not exist).
   *
   * `make` receives the revision of the write and returns the object, which is then frozen.
   */
  put(name: string, key: string, expected: number, make: (revision: number) => JsonObject): StoredRecord | Lost {
    const bucket = this.bucket(name);
    const previous = bucket.get(key);
    if ((previous?.revision ?? 0) !== expected) return { kind: "lost", current: previous };
    const revision = this.#revision + 1;
    const object = this.#shared.share(make(revision));
    const size = freezeNew(object);
    this.#append(name, bucket, { kind: "put", key, revision, object, previous }, size);
    return { key, revision, object };
  }

  /** Deletes an object if its record is still at revision `expected`. `make` returns its last state. */
  delete(name: string, key: string, expected: number, make: (revision: number) => JsonObject): StoredRecord | Lost {
    const bucket = this.bucket(name);
    const previous = bucket.get(key);
    if (!previous || previous.revision !== expected) return { kind: "lost", current: previous };
    const revision = this.#revision + 1;
    const object = this.#shared.share(make(revision));
    const size = freezeNew(object);
    this.#append(name, bucket, { kind: "delete", key, revision, object, previous }, size);
    return { key, revision, object };
  }

  /** Calls `listener` after every write, until the returned function is called. */
  listen(listener: StoreListener): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Calls `listener` for every existing object, as if it had just been created. */
  replay(listener: StoreListener): void {
    for (const seed of new Set(this.#seeds.values())) this.#plant(seed);
    for (const [name, bucket] of this.#buckets)
      for (const { key, revision, object } of bucket.list())
        listener(name, { kind: "put", key, revision, object, previous: undefined });
  }

  /** Compacts the history of every bucket up to `revision`. */
  compact(revision: number): void {
    for (const bucket of this.#buckets.values()) bucket.compact(Math.min(revision, this.#revision));
  }

  /** Closes the watches of a bucket and removes it, because its resource is no longer served. */
  drop(name: string): void {
    const bucket = this.#buckets.get(name);
    if (!bucket) return;
    // Remaining objects must not come back after a restart.
    for (const { key, revision, object } of this.#journal ? bucket.list() : [])
      this.delete(name, key, revision, () => object);
    bucket.close();
    this.#buckets.delete(name);
    this.#dropped.add(name);
  }

  /** Closes every watch; resolves when every write is on disk. */
  async close(): Promise<void> {
    for (const bucket of this.#buckets.values()) bucket.close();
    this.#listeners.clear();
    await this.#journal?.close();
  }

  #append(name: string, bucket: Bucket, change: Change, size: number): void {
    this.#revision = change.revision;
    bucket.append(change, size);
    this.#journal?.append(name, change);
    for (const listener of this.#listeners) listener(name, change);
    if (!this.#journal) bucket.announce();
    else
      this.#journal.whenDurable(change.revision).then(
        () => bucket.announce(),
        // The next call of `durable` reports the failure. Watchers keep waiting.
        () => {},
      );
  }
}

/** Whether a write failed its compare-and-swap. */
export function isLost(result: StoredRecord | Lost): result is Lost {
  return "kind" in result && result.kind === "lost";
}
