import { ExpiredError } from "./expired-error.js";
import type { Change, StoredRecord } from "./record.js";
import { SortedKeys } from "./sorted-keys.js";
import { Watcher } from "./watcher.js";

/** Where a watcher begins, and what wakes it. */
export interface WatchOptions {
  /** Changes after this revision are handed out. */
  readonly after: number;
  /** Only keys that begin with it. @default "" */
  readonly prefix?: string;
}

/**
 * The objects of one resource: the present, and the changes that led to it as far back as `historyLimit`.
 *
 * Watchers read the one log at their own pace, so that a slow one costs no memory: when the log has moved on, it is expired.
 */
export class Bucket {
  readonly #records = new Map<string, StoredRecord>();
  readonly #keys = new SortedKeys();
  readonly #historyLimit: number;
  readonly #watchers = new Set<Watcher>();
  #log: Change[] = [];
  /** How many changes have been dropped from the front of the log: positions count from the first change ever. */
  #dropped = 0;
  /** Changes up to this revision are gone. */
  #compacted: number;
  #closed = false;

  constructor(historyLimit: number, revision: number) {
    this.#historyLimit = historyLimit;
    this.#compacted = revision;
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
    const found: StoredRecord[] = [];
    for (const key of this.#keys.withPrefix(prefix)) {
      const record = this.#records.get(key);
      if (record) found.push(record);
    }
    return found;
  }

  /** The same as it was at `revision`. Throws an {@link ExpiredError} when that is beyond the history. */
  listAt(revision: number, prefix = ""): StoredRecord[] {
    if (revision < this.#compacted) throw new ExpiredError(revision, this.#compacted);
    const last = this.#log.at(-1);
    if (last === undefined || last.revision <= revision) return this.list(prefix);
    const undone = new Map<string, StoredRecord | undefined>();
    for (let index = this.#log.length - 1; index >= 0; index--) {
      const change = this.#log[index];
      if (!change || change.revision <= revision) break;
      if (change.key.startsWith(prefix)) undone.set(change.key, change.previous);
    }
    const past = this.list(prefix).filter((record) => !undone.has(record.key));
    for (const record of undone.values()) if (record) past.push(record);
    return past.sort((a, b) => (a.key < b.key ? -1 : 1));
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
      { position: this.#positionAfter(after), prefix },
    );
    this.#watchers.add(watcher);
    return watcher;
  }

  /** Every watcher has been handed what there is, and waits. */
  get idle(): boolean {
    for (const watcher of this.#watchers) if (!watcher.idle) return false;
    return true;
  }

  /** Records a change that the store has decided on. */
  append(change: Change): void {
    if (change.kind === "put") {
      if (!change.previous) this.#keys.add(change.key);
      this.#records.set(change.key, { key: change.key, revision: change.revision, object: change.object });
    } else {
      this.#keys.remove(change.key);
      this.#records.delete(change.key);
    }
    this.#log.push(change);
    // In steps of half the limit, so that the cost of dropping is spread over many writes.
    if (this.#log.length > this.#historyLimit * 1.5) this.#drop(this.#log.length - this.#historyLimit);
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

  #drop(count: number): void {
    this.#compacted = this.#log[count - 1]?.revision ?? this.#compacted;
    this.#log = this.#log.slice(count);
    this.#dropped += count;
  }

  /** The change at a position; undefined when there is none yet, an error when it has been dropped. */
  #at(position: number): Change | ExpiredError | undefined {
    const index = position - this.#dropped;
    return index < 0 ? new ExpiredError(this.#compacted, this.#compacted) : this.#log[index];
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
