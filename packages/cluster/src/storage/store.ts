import type { JsonObject } from "@kubewright/core/json";
import { Bucket } from "./bucket.js";
import { freezeNew } from "./freeze-new.js";
import type { Journal } from "./journal.js";
import type { Change, StoredRecord } from "./record.js";
import { SharedRecords } from "./shared-records.js";

/** How much a store remembers, and where it writes. */
export interface StoreOptions {
  /** How many changes of each resource are kept for watches that resume. @default 10_000 */
  readonly historyLimit?: number;
  /** About how many bytes the kept changes of each resource may take. @default 67_108_864 */
  readonly historyLimitBytes?: number;
  /** Where writes go to outlive the process. @default nowhere */
  readonly journal?: Journal;
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
 * Writes are compare-and-swap. Values are frozen when they are written, and those very values are read. With a journal, a write is seen
 * by the next read at once, but watchers learn of it, and {@link durable} resolves, only when it is on disk: whoever waits for that
 * before he answers tells nobody of what a crash could undo.
 */
export class Store {
  readonly #buckets = new Map<string, Bucket>();
  readonly #dropped = new Set<string>();
  readonly #listeners = new Set<StoreListener>();
  readonly #shared = new SharedRecords();
  readonly #historyLimit: number;
  readonly #historyLimitBytes: number;
  readonly #journal: Journal | undefined;
  /** History begins here: what was before a restart is as if it had been compacted. */
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

  /** The latest revision that watchers may know of: with a journal, what is on disk. */
  get visibleRevision(): number {
    return this.#journal ? this.#journal.durable : this.#revision;
  }

  /** Nothing was ever written. */
  get isNew(): boolean {
    return this.#firstRevision === 0;
  }

  /** Every watcher of every bucket has been handed what there is, and waits; and everything is on disk. */
  get idle(): boolean {
    if (this.visibleRevision < this.#revision) return false;
    for (const bucket of this.#buckets.values()) if (!bucket.idle) return false;
    return true;
  }

  /** Resolves when all that can be read now is on disk, and rejects when it can never be; undefined where there is no disk. */
  durable(): Promise<void> | undefined {
    return this.#journal?.whenDurable(this.#revision);
  }

  /** The bucket of a resource; made when it is first asked for. */
  bucket(name: string): Bucket {
    let bucket = this.#buckets.get(name);
    if (!bucket) {
      bucket = new Bucket({
        historyLimit: this.#historyLimit,
        historyLimitBytes: this.#historyLimitBytes,
        // A new bucket knows its whole past (nothing was ever written to it), one that was dropped before does not.
        compacted: this.#dropped.has(name) ? this.#revision : this.#firstRevision,
        visible: () => this.visibleRevision,
      });
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
    const object = this.#shared.share(make(revision));
    const size = freezeNew(object);
    this.#append(name, bucket, { kind: "put", key, revision, object, previous }, size);
    return { key, revision, object };
  }

  /** Removes an object, if its record is still at `expected`. `make` gives its last state. */
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

  /** Calls `listener` after every write, until the function that it gives back is called. */
  listen(listener: StoreListener): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Calls `listener` for every object that is there, as if it had just been written. */
  replay(listener: StoreListener): void {
    for (const [name, bucket] of this.#buckets)
      for (const { key, revision, object } of bucket.list())
        listener(name, { kind: "put", key, revision, object, previous: undefined });
  }

  /** Forgets history up to `revision` in every bucket. */
  compact(revision: number): void {
    for (const bucket of this.#buckets.values()) bucket.compact(Math.min(revision, this.#revision));
  }

  /** Ends the watches of one bucket and forgets it: its resource is no longer served. */
  drop(name: string): void {
    const bucket = this.#buckets.get(name);
    if (!bucket) return;
    // What nobody deleted must not come back after a restart.
    for (const { key, revision, object } of this.#journal ? bucket.list() : [])
      this.delete(name, key, revision, () => object);
    bucket.close();
    this.#buckets.delete(name);
    this.#dropped.add(name);
  }

  /** Ends every watch; resolves when everything is on disk. */
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
        // Whoever asks next is told why; watchers wait for what will not come.
        () => {},
      );
  }
}

/** Tells a lost write from a record. */
export function isLost(result: StoredRecord | Lost): result is Lost {
  return "kind" in result && result.kind === "lost";
}
