import type { ExpiredError } from "./expired-error.js";
import type { Change } from "./record.js";

/** The log that a watcher reads. */
export interface ChangeLog {
  /** The change at a position; undefined if there is none yet. */
  at(position: number): Change | ExpiredError | undefined;
  closed(): boolean;
  remove(watcher: Watcher): void;
}

/** What a {@link Watcher} returns: a change, that it fell behind the history, or that it is closed. */
export type WatchStep =
  | { readonly kind: "change"; readonly change: Change }
  | { readonly kind: "expired"; readonly error: ExpiredError }
  | { readonly kind: "closed" };

/** Start position and filter of a watcher. */
export interface WatcherStart {
  readonly position: number;
  /** Changes up to this revision are skipped; it may lie in the future. */
  readonly after: number;
  /** Only keys that start with it. */
  readonly prefix: string;
}

/** Reads the changes of a bucket in order, each once. Its single consumer polls, and is called back when there may be more. */
export class Watcher {
  readonly #log: ChangeLog;
  readonly #prefix: string;
  readonly #after: number;
  #position: number;
  #closed = false;
  #onMore: (() => void) | undefined;

  constructor(log: ChangeLog, { position, after, prefix }: WatcherStart) {
    this.#log = log;
    this.#position = position;
    this.#after = after;
    this.#prefix = prefix;
  }

  /** True if it has returned all changes and waits for more. */
  get idle(): boolean {
    return this.#onMore !== undefined || this.#closed;
  }

  /** The next step, without waiting; undefined if there is none. */
  poll(): WatchStep | undefined {
    if (this.#closed) return { kind: "closed" };
    for (;;) {
      const found = this.#log.at(this.#position);
      if (found === undefined) break;
      if (found instanceof Error) return { kind: "expired", error: found };
      this.#position++;
      if (found.revision > this.#after && found.key.startsWith(this.#prefix)) return { kind: "change", change: found };
    }
    if (this.#log.closed()) {
      this.close();
      return { kind: "closed" };
    }
    return undefined;
  }

  /** Calls `onMore` once, as soon as a poll may return a step; undefined cancels the wait. */
  wait(onMore: (() => void) | undefined): void {
    this.#onMore = onMore;
  }

  /** Waits for the next step. */
  next(): Promise<WatchStep> {
    return new Promise((resolve) => {
      const look = (): void => {
        const step = this.poll();
        if (step) resolve(step);
        else this.wait(look);
      };
      look();
    });
  }

  /** Called by the bucket when something may have changed. */
  wake(): void {
    const onMore = this.#onMore;
    if (!onMore || !this.#hasMore()) return;
    this.#onMore = undefined;
    onMore();
  }

  /** Closes the watch. A waiting consumer is called, and its next poll returns `closed`. */
  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#log.remove(this);
    const onMore = this.#onMore;
    this.#onMore = undefined;
    onMore?.();
  }

  /** Whether a poll would return a step. Skips changes that the filter excludes, so that they wake no consumer. */
  #hasMore(): boolean {
    for (;;) {
      const found = this.#log.at(this.#position);
      if (found === undefined) return this.#log.closed();
      if (found instanceof Error) return true;
      if (found.revision > this.#after && found.key.startsWith(this.#prefix)) return true;
      this.#position++;
    }
  }
}
