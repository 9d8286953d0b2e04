/** client-go's reflector backoff. */
const firstMs = 800;
const factor = 2;
const capMs = 30_000;
const resetAfterMs = 120_000;

/**
 * Backoff after a failed list or watch: 800 ms, doubling up to 30 s, with jitter of up to 100 %, so that the clients of a server do not retry at the
 * same time. Resets after two minutes without a failure.
 */
export class WatchBackoff {
  readonly #random: () => number;
  #failures = 0;
  #lastFailureMs = Number.NEGATIVE_INFINITY;

  constructor(random: () => number) {
    this.#random = random;
  }

  /** Returns the delay after a failure at `nowMs`; never shorter than Retry-After. */
  next(nowMs: number, retryAfterSeconds = 0): number {
    if (nowMs - this.#lastFailureMs > resetAfterMs) this.#failures = 0;
    this.#lastFailureMs = nowMs;
    const delayMs = Math.min(firstMs * factor ** this.#failures, capMs);
    this.#failures += 1;
    return Math.max(delayMs * (1 + this.#random()), retryAfterSeconds * 1_000);
  }
}
