import { ExpiredError } from "./expired-error.js";
import type { Change, StoredRecord } from "./record.js";
import { SortedKeys } from "./sorted-keys.js";
import { Watcher } from "./watcher.js";

/** Start revision and key prefix of a watch. */
export interface WatchOptions {
  /** The watch returns changes after this revision, which may lie in the future. */
  readonly after: number;
  /** Only keys that start with it. @default "" */
  readonly prefix?: string;
}

/** Key range and revision of a read. */
export interface ScanOptions {
  /** Only keys that start with it. @default "" */
  readonly prefix?: string;
  /** Only keys greater than or equal to it. @default "" */
  readonly start?: string;
  /** Reads the state at this revision. @default the current state */
  readonly revision?: number;
}

/** Number of records, and a lazy iterator over them in key order. */
export interface Scan {
  readonly count: number;
  readonly records: Iterable<StoredRecord>;
}

/** History limits and visibility of a bucket. */
export interface BucketOptions {
  /** Number of changes kept for resumed watches and continued lists. */
  readonly historyLimit: number;
  /** Approximate size limit of these changes in bytes. */
  readonly historyLimitBytes: number;
  /** Initial compacted revision. */
  readonly compacted: number;
  /** Watchers see changes up to this revision. */
  visible(): number;
}

/**
 * The objects of one resource: the current state, and the change log as far back as the limits allow.
 *
 * All watchers read the same log, so a slow watcher costs no memory: it expires when the log drops changes that it has not read.
 */
export class Bucket {
  readonly #records = new Map<string, StoredRecord>();
  readonly #keys = new SortedKeys();
  readonly #options: BucketOptions;
  readonly #watchers = new Set<Watcher>();
  #log: Change[] = [];
  /** Approximate size in bytes of each change in the log, without values shared with earlier changes. */
  #sizes: number[] = [];
  #logBytes = 0;
  /** Number of changes dropped from the front of the log. Positions count from the first change ever. */
  #dropped = 0;
  /** Changes up to this revision have been dropped. */
  #compacted: number;
  #closed = false;

  constructor(options: BucketOptions) {
    this.#options = options;
    this.#compacted = options.compacted;
  }

  get size(): number {
    return this.#records.size;
  }

  /** The oldest revision that a watch can resume from. */
  get compactedRevision(): number {
    return this.#compacted;
  }

  get(key: string): StoredRecord | undefined {
    return this.#records.get(key);
  }

  /** Every record whose key starts with `prefix`, in key order. */
  list(prefix = ""): StoredRecord[] {
    return [...this.scan({ prefix }).records];
  }

  /**
   * Reads a key range of the current or a past state. The cost depends on the records read, not on the size of the bucket.
   *
   * Iterate before the next write. Throws an {@link ExpiredError} if the revision has been compacted.
   */
  scan({ prefix = "", start = "", revision }: ScanOptions = {}): Scan {
    const { from, to } = this.#keys.range(prefix, start);
    const undone = this.#undoneSince(revision, prefix, start);
    if (undone.size === 0) return { count: to - from, records: this.#present(from, to) };
    let count = to - from;
    for (const [key, record] of undone) count += (record ? 1 : 0) - (this.#records.has(key) ? 1 : 0);
    return { count, records: this.#past(from, to, undone) };
  }

  /** Watches changes after a revision, in order. Throws an {@link ExpiredError} if the revision has been compacted. */
  watch({ after, prefix = "" }: WatchOptions): Watcher {
    if (after < this.#compacted) throw new ExpiredError(after, this.#compacted);
    const watcher = new Watcher(
      {
        at: (position) => this.#at(position),
        closed: () => this.#closed,
        remove: (gone) => this.#watchers.delete(gone),
      },
      { position: this.#positionAfter(after), after, prefix },
    );
    this.#watchers.add(watcher);
    return watcher;
  }

  /** Every watcher has read all changes and waits. */
  get idle(): boolean {
    for (const watcher of this.#watchers) if (!watcher.idle) return false;
    return true;
  }

  /** Restores a record from the journal. Call it before the first write. */
  restore(record: StoredRecord): void {
    this.#keys.add(record.key);
    this.#records.set(record.key, record);
  }

  /** Applies a committed change and appends it to the log. About `size` bytes of it are new. */
  append(change: Change, size: number): void {
    if (change.kind === "put") {
      if (!change.previous) this.#keys.add(change.key);
      this.#records.set(change.key, { key: change.key, revision: change.revision, object: change.object });
    } else {
      this.#keys.remove(change.key);
      this.#records.delete(change.key);
    }
    this.#log.push(change);
    this.#sizes.push(size);
    this.#logBytes += size;
    const { historyLimit, historyLimitBytes } = this.#options;
    // Drops in steps of half the limit, to amortize the cost over many writes.
    if (this.#log.length > historyLimit * 1.5) this.#drop(this.#log.length - historyLimit);
    if (this.#logBytes > historyLimitBytes && this.#log.length > 1) this.#drop(Math.ceil(this.#log.length / 2));
  }

  /** Wakes the watchers after {@link append}. */
  announce(): void {
    for (const watcher of this.#watchers) watcher.wake();
  }

  /** Drops the changes up to `revision`: older watches and lists expire. */
  compact(revision: number): void {
    let count = 0;
    while (count < this.#log.length && (this.#log[count]?.revision ?? 0) <= revision) count++;
    if (count > 0) this.#drop(count);
    if (revision > this.#compacted) this.#compacted = revision;
  }

  /** Closes every watch. */
  close(): void {
    this.#closed = true;
    this.announce();
  }

  /** The records, by key, that differ between the current state and the state at `revision`; undefined for a key that did not exist. */
  #undoneSince(revision: number | undefined, prefix: string, start: string): Map<string, StoredRecord | undefined> {
    const undone = new Map<string, StoredRecord | undefined>();
    if (revision === undefined) return undone;
    if (revision < this.#compacted) throw new ExpiredError(revision, this.#compacted);
    for (let index = this.#log.length - 1; index >= 0; index--) {
      const change = this.#log[index];
      if (!change || change.revision <= revision) break;
      if (change.key.startsWith(prefix) && change.key >= start) undone.set(change.key, change.previous);
    }
    return undone;
  }

  *#present(from: number, to: number): Iterable<StoredRecord> {
    for (let index = from; index < to; index++) {
      const record = this.#records.get(this.#keys.at(index) ?? "");
      if (record) yield record;
    }
  }

  /** Merges the unchanged current records with the restored past ones, in key order. */
  *#past(from: number, to: number, undone: ReadonlyMap<string, StoredRecord | undefined>): Iterable<StoredRecord> {
    const back = [...undone.values()].filter((record) => record !== undefined).sort((a, b) => (a.key < b.key ? -1 : 1));
    let next = 0;
    for (const record of this.#present(from, to)) {
      if (undone.has(record.key)) continue;
      for (let old = back[next]; old && old.key < record.key; old = back[++next]) yield old;
      yield record;
    }
    yield* back.slice(next);
  }

  #drop(count: number): void {
    this.#compacted = this.#log[count - 1]?.revision ?? this.#compacted;
    for (const size of this.#sizes.slice(0, count)) this.#logBytes -= size;
    this.#log = this.#log.slice(count);
    this.#sizes = this.#sizes.slice(count);
    this.#dropped += count;
  }

  /** The change at a position; undefined if there is none yet, an error if it has been dropped. */
  #at(position: number): Change | ExpiredError | undefined {
    const index = position - this.#dropped;
    if (index < 0) return new ExpiredError(this.#compacted, this.#compacted);
    const change = this.#log[index];
    return change && change.revision <= this.#options.visible() ? change : undefined;
  }

  #positionAfter(revision: number): number {
    let low = 0;
    let high = this.#log.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#log[middle]?.revision ?? 0) <= revision) low = middle + 1;
      else high = middle;
    }
    return this.#dropped + low;
  }
}
