import type { ExpiredError } from "./expired-error.js";
import type { Change } from "./record.js";

/** The log that a watcher reads. */
export interface ChangeLog {
  /** The change at a position; undefined when there is none yet. */
  at(position: number): Change | ExpiredError | undefined;
  closed(): boolean;
  remove(watcher: Watcher): void;
}

/** What {@link Watcher.next} gives: a change, that the watcher fell behind the history, or that it is over. */
export type WatchStep =
  | { readonly kind: "change"; readonly change: Change }
  | { readonly kind: "expired"; readonly error: ExpiredError }
  | { readonly kind: "closed" };

/** A reader of a bucket's changes, in order, each once. One reader calls `next` at a time. */
export class Watcher {
  readonly #log: ChangeLog;
  readonly #prefix: string;
  #position: number;
  #closed = false;
  #resolve: ((step: WatchStep) => void) | undefined;

  constructor(log: ChangeLog, start: { readonly position: number; readonly prefix: string }) {
    this.#log = log;
    this.#position = start.position;
    this.#prefix = start.prefix;
  }

  /** It has been handed everything and waits for more. */
  get idle(): boolean {
    return this.#resolve !== undefined || this.#closed;
  }

  /** What is there now without waiting; undefined when there is nothing new. */
  poll(): WatchStep | undefined {
    if (this.#closed) return { kind: "closed" };
    for (;;) {
      const found = this.#log.at(this.#position);
      if (found === undefined) break;
      if (found instanceof Error) return { kind: "expired", error: found };
      this.#position++;
      if (found.key.startsWith(this.#prefix)) return { kind: "change", change: found };
    }
    if (this.#log.closed()) {
      this.close();
      return { kind: "closed" };
    }
    return undefined;
  }

  /** The next step, as soon as there is one. */
  next(): Promise<WatchStep> {
    const step = this.poll();
    if (step) return Promise.resolve(step);
    return new Promise((resolve) => {
      this.#resolve = resolve;
    });
  }

  /** Called by the bucket when something may have changed. */
  wake(): void {
    const resolve = this.#resolve;
    if (!resolve) return;
    const step = this.poll();
    if (!step) return;
    this.#resolve = undefined;
    resolve(step);
  }

  /** Ends the watch; a waiting `next` gives `closed`. */
  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#log.remove(this);
    this.#resolve?.({ kind: "closed" });
    this.#resolve = undefined;
  }
}
