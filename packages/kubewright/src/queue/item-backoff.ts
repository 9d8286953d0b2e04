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

  /** Counts one more failure of `key`, and says how long to wait for the next attempt. */
  next(key: string): number {
    const failures = this.#failures.get(key) ?? 0;
    this.#failures.set(key, failures + 1);
    return Math.min(this.#baseMs * 2 ** failures, this.#maxMs);
  }

  /** How often `key` failed since it was last forgotten. */
  failures(key: string): number {
    return this.#failures.get(key) ?? 0;
  }

  /** The next failure of `key` counts as its first. */
  forget(key: string): void {
    if (this.#failures.size > 0) this.#failures.delete(key);
  }
}
