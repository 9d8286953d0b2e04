import type { Logger } from "@kubewright/core/log";

/**
 * A queue of keys without timers. It handles each key once per batch, in the order in which keys were added.
 *
 * Work starts in a microtask, after the write that caused it is complete.
 */
export class WorkSet {
  readonly #work: (key: string) => void;
  readonly #logger: Logger;
  readonly #keys = new Set<string>();
  #scheduled = false;
  #closed = false;

  constructor(work: (key: string) => void, logger: Logger) {
    this.#work = work;
    this.#logger = logger;
  }

  /** Whether no key is queued. */
  get idle(): boolean {
    return this.#keys.size === 0;
  }

  add(key: string): void {
    if (this.#closed) return;
    this.#keys.add(key);
    if (this.#scheduled) return;
    this.#scheduled = true;
    queueMicrotask(() => this.#drain());
  }

  /** Drops the queued keys. */
  close(): void {
    this.#closed = true;
    this.#keys.clear();
  }

  #drain(): void {
    // Iteration over a Set includes keys that are added during the loop.
    for (const key of this.#keys) {
      this.#keys.delete(key);
      try {
        this.#work(key);
      } catch (error) {
        this.#logger.error({ err: error, key }, "API controller failed to sync a key");
      }
    }
    this.#scheduled = false;
  }
}
