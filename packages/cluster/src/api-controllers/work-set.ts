import type { Clock, Timer } from "@kubewright/core/clock";
import type { Logger } from "@kubewright/core/log";
import type { Eventually } from "../registry/index.js";

/** Delays between the attempts of a key that fails: those of client-go's default rate limiter. */
const baseDelayMs = 5;
const maxDelayMs = 1_000_000;

/**
 * A queue of keys. It handles each key once per batch, in the order in which keys were added, and never a key twice at once.
 *
 * Work starts in a microtask, after the write that caused it is complete. It is synchronous unless an admission plugin or a conversion webhook is awaited. A
 * key that fails is retried with growing delays.
 */
export class WorkSet {
  readonly #work: (key: string) => Eventually<void>;
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #keys = new Set<string>();
  /** Keys whose work is awaited. If one is added meanwhile, it stays in `#keys`. */
  readonly #running = new Set<string>();
  readonly #failures = new Map<string, number>();
  readonly #retries = new Map<string, Timer>();
  #scheduled = false;
  #closed = false;

  constructor(
    work: (key: string) => Eventually<void>,
    { clock, logger }: { readonly clock: Clock; readonly logger: Logger },
  ) {
    this.#work = work;
    this.#clock = clock;
    this.#logger = logger;
  }

  /** Whether no key is queued or handled. Keys that wait for their next attempt do not count. */
  get idle(): boolean {
    return this.#keys.size === 0 && this.#running.size === 0;
  }

  add(key: string): void {
    if (this.#closed) return;
    this.#keys.add(key);
    this.#schedule();
  }

  /** Drops the queued keys. */
  close(): void {
    this.#closed = true;
    this.#keys.clear();
    for (const timer of this.#retries.values()) timer.cancel();
    this.#retries.clear();
  }

  #schedule(): void {
    if (this.#scheduled || this.#closed) return;
    this.#scheduled = true;
    queueMicrotask(() => this.#drain());
  }

  #drain(): void {
    this.#scheduled = false;
    // Iteration over a Set includes keys that are added during the loop.
    for (const key of this.#keys) {
      if (this.#running.has(key)) continue;
      this.#keys.delete(key);
      this.#handle(key);
    }
  }

  #handle(key: string): void {
    try {
      const done = this.#work(key);
      if (done instanceof Promise) this.#await(key, done);
      else this.#failures.delete(key);
    } catch (error) {
      this.#retry(key, error);
    }
  }

  #await(key: string, done: Promise<void>): void {
    this.#running.add(key);
    const end = (): void => {
      this.#running.delete(key);
      if (this.#keys.has(key)) this.#schedule();
    };

    done.then(
      () => {
        this.#failures.delete(key);
        end();
      },
      (error: unknown) => {
        this.#retry(key, error);
        end();
      },
    );
  }

  #retry(key: string, error: unknown): void {
    if (this.#closed) return;
    const failures = this.#failures.get(key) ?? 0;
    const delayMs = Math.min(baseDelayMs * 2 ** failures, maxDelayMs);
    this.#failures.set(key, failures + 1);
    this.#logger.error({ err: error, key, delayMs }, "API controller failed to sync a key, will retry");
    this.#retries.get(key)?.cancel();
    const timer = this.#clock.startTimer(delayMs, () => {
      this.#retries.delete(key);
      this.add(key);
    });
    this.#retries.set(key, timer);
  }
}
