/**
 * Delay before the next attempt for one key; doubles with each failure, up to `maxMs`.
 *
 * Keys are independent: one that fails does not slow another down.
 */
export class ItemBackoff {
  readonly #failures = new Map<string, number>();
  readonly #baseMs: number;
  readonly #maxMs: number;

  constructor(baseMs: number, maxMs: number) {
    this.#baseMs = baseMs;
    this.#maxMs = maxMs;
  }

  /** Counts a failure of `key`, and returns the delay before the next attempt. */
  next(key: string): number {
    const failures = this.#failures.get(key) ?? 0;
    this.#failures.set(key, failures + 1);
    return Math.min(this.#baseMs * 2 ** failures, this.#maxMs);
  }

  /** Number of failures of `key` since `forget`. */
  failures(key: string): number {
    return this.#failures.get(key) ?? 0;
  }

  /** Resets the failures of `key`. */
  forget(key: string): void {
    if (this.#failures.size > 0) this.#failures.delete(key);
  }
}
