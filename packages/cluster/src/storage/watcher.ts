import type { ExpiredError } from "./expired-error.js";
import type { Change } from "./record.js";

/** The log that a watcher reads. */
export interface ChangeLog {
  /** The change at a position; undefined when there is none yet. */
  at(position: number): Change | ExpiredError | undefined;
  closed(): boolean;
  remove(watcher: Watcher): void;
}

/** What a {@link Watcher} gives: a change, that it fell behind the history, or that it is over. */
export type WatchStep =
  | { readonly kind: "change"; readonly change: Change }
  | { readonly kind: "expired"; readonly error: ExpiredError }
  | { readonly kind: "closed" };

/** Where a watcher begins, and what it is told of. */
export interface WatcherStart {
  readonly position: number;
  /** Changes up to this revision are not handed out; it may lie in the future. */
  readonly after: number;
  /** Only keys that begin with it. */
  readonly prefix: string;
}

/** A reader of a bucket's changes, in order, each once. It has one reader, who polls, and asks to be called when there may be more. */
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

  /** It has been handed everything and waits for more. */
  get idle(): boolean {
    return this.#onMore !== undefined || this.#closed;
  }

  /** What is there now; undefined when there is nothing new. */
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

  /** Calls `onMore` once, as soon as a poll may give something; undefined ends the waiting. */
  wait(onMore: (() => void) | undefined): void {
    this.#onMore = onMore;
  }

  /** The next step, as soon as there is one. */
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

  /** Ends the watch; who waits is called, and told so by the next poll. */
  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#log.remove(this);
    const onMore = this.#onMore;
    this.#onMore = undefined;
    onMore?.();
  }

  /** Whether a poll would give something. Passes over what is not for this watcher, so that nobody is woken for it. */
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
