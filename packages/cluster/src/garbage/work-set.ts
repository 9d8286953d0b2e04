import type { Logger } from "@kubewright/core/log";

/**
 * Keys that want attention, each worked on once per batch, in the order in which they came.
 *
 * Work begins in a microtask, so after the write that caused it is complete, and needs no timer.
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

  /** Nothing is left to do. */
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

  /** Drops what is left. */
  close(): void {
    this.#closed = true;
    this.#keys.clear();
  }

  #drain(): void {
    // Keys that are added meanwhile are met by the same loop: a Set iterates over them too.
    for (const key of this.#keys) {
      this.#keys.delete(key);
      try {
        this.#work(key);
      } catch (error) {
        this.#logger.error({ err: error, key }, "Housekeeping failed");
      }
    }
    this.#scheduled = false;
  }
}
