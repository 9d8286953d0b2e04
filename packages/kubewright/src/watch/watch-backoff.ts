/** Start, growth and end of the waiting between failed attempts to list or watch. */
const firstMs = 800;
const factor = 2;
const capMs = 30_000;
const resetAfterMs = 120_000;

/**
 * How long to wait after a failed list or watch: 800 ms, doubling up to 30 s, each stretched by up to its own length at
 * random, so that many clients of one server do not come back at once. Two minutes without a failure start it anew.
 */
export class WatchBackoff {
  readonly #random: () => number;
  #failures = 0;
  #lastFailureMs = Number.NEGATIVE_INFINITY;

  constructor(random: () => number) {
    this.#random = random;
  }

  /** The delay after a failure at `nowMs`; never shorter than what the server asked for. */
  next(nowMs: number, retryAfterSeconds = 0): number {
    if (nowMs - this.#lastFailureMs > resetAfterMs) this.#failures = 0;
    this.#lastFailureMs = nowMs;
    const delayMs = Math.min(firstMs * factor ** this.#failures, capMs);
    this.#failures += 1;
    return Math.max(delayMs * (1 + this.#random()), retryAfterSeconds * 1_000);
  }
}
