import { ExpiredError } from "./expired-error.js";
import type { Change, StoredRecord } from "./record.js";
import { SortedKeys } from "./sorted-keys.js";
import { Watcher } from "./watcher.js";

/** Where a watcher begins, and what wakes it. */
export interface WatchOptions {
  /** Changes after this revision are handed out; it may lie in the future. */
  readonly after: number;
  /** Only keys that begin with it. @default "" */
  readonly prefix?: string;
}

/** What part of a bucket is read, and as of when. */
export interface ScanOptions {
  /** Only keys that begin with it. @default "" */
  readonly prefix?: string;
  /** Only keys that are not before it. @default "" */
  readonly start?: string;
  /** As it was then. @default now */
  readonly revision?: number;
}

/** Records in the order of their keys, made as they are read; and how many there are. */
export interface Scan {
  readonly count: number;
  readonly records: Iterable<StoredRecord>;
}

/** How much of its past a bucket keeps, and what of its present may be told. */
export interface BucketOptions {
  /** Changes that are kept for watches that resume and for pages of old lists. */
  readonly historyLimit: number;
  /** About how many bytes they may take. */
  readonly historyLimitBytes: number;
  /** Changes up to here are gone from the beginning. */
  readonly compacted: number;
  /** Watchers are told of changes up to this revision. */
  visible(): number;
}

/**
 * The objects of one resource: the present, and the changes that led to it as far back as the limits allow.
 *
 * Watchers read the one log at their own pace, so that a slow one costs no memory: when the log has moved on, it is expired.
 */
export class Bucket {
  readonly #records = new Map<string, StoredRecord>();
  readonly #keys = new SortedKeys();
  readonly #options: BucketOptions;
  readonly #watchers = new Set<Watcher>();
  #log: Change[] = [];
  /** What each change of the log takes beyond what was there before. */
  #sizes: number[] = [];
  #logBytes = 0;
  /** How many changes have been dropped from the front of the log: positions count from the first change ever. */
  #dropped = 0;
  /** Changes up to this revision are gone. */
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

  /** Every record whose key begins with `prefix`, in the order of keys. */
  list(prefix = ""): StoredRecord[] {
    return [...this.scan({ prefix }).records];
  }

  /**
   * A part of the present, or of a past state. Costs what is read of it, not what there is.
   *
   * Must be read before the next write. Throws an {@link ExpiredError} when the revision is beyond the history.
   */
  scan({ prefix = "", start = "", revision }: ScanOptions = {}): Scan {
    const { from, to } = this.#keys.range(prefix, start);
    const undone = this.#undoneSince(revision, prefix, start);
    if (undone.size === 0) return { count: to - from, records: this.#present(from, to) };
    let count = to - from;
    for (const [key, record] of undone) count += (record ? 1 : 0) - (this.#records.has(key) ? 1 : 0);
    return { count, records: this.#past(from, to, undone) };
  }

  /** Hands out changes in order, from after a revision on. Throws an {@link ExpiredError} when that is beyond the history. */
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

  /** Every watcher has been handed what there is, and waits. */
  get idle(): boolean {
    for (const watcher of this.#watchers) if (!watcher.idle) return false;
    return true;
  }

  /** Takes in a record of the past life, before anything is written. */
  restore(record: StoredRecord): void {
    this.#keys.add(record.key);
    this.#records.set(record.key, record);
  }

  /** Records a change that the store has decided on, of which about `size` bytes are new. */
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
    // In steps of half the limit, so that the cost of dropping is spread over many writes.
    if (this.#log.length > historyLimit * 1.5) this.#drop(this.#log.length - historyLimit);
    if (this.#logBytes > historyLimitBytes && this.#log.length > 1) this.#drop(Math.ceil(this.#log.length / 2));
  }

  /** Wakes the watchers after {@link append}. */
  announce(): void {
    for (const watcher of this.#watchers) watcher.wake();
  }

  /** Forgets the changes up to `revision`: watches and lists from before it expire. */
  compact(revision: number): void {
    let count = 0;
    while (count < this.#log.length && (this.#log[count]?.revision ?? 0) <= revision) count++;
    if (count > 0) this.#drop(count);
    if (revision > this.#compacted) this.#compacted = revision;
  }

  /** Ends every watch. */
  close(): void {
    this.#closed = true;
    this.announce();
  }

  /** What has to be put back, or taken away, to come from the present to a past state. */
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

  /** The present with some keys as they were: two sorted sequences, merged. */
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

  /** The change at a position; undefined when there is none yet, an error when it has been dropped. */
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
