import type { Clock } from "@kubewright/core/clock";

/** How often something may happen, over all keys together. */
export interface RateLimit {
  /** How many per second in the long run. */
  readonly perSecond: number;
  /** How many at once after a pause. */
  readonly burst: number;
}

/** Spreads what comes too fast: each reservation gets its own moment, in the order in which they are made. */
export class TokenBucket {
  readonly #clock: Clock;
  readonly #perMs: number;
  readonly #burst: number;
  #tokens: number;
  #countedAtMs: number;

  constructor({ perSecond, burst }: RateLimit, clock: Clock) {
    if (!(perSecond > 0) || !(burst >= 1))
      throw new RangeError("Cannot limit a rate: `perSecond` must be above 0 and `burst` at least 1");
    this.#clock = clock;
    this.#perMs = perSecond / 1_000;
    this.#burst = burst;
    this.#tokens = burst;
    this.#countedAtMs = clock.monotonic();
  }

  /** Takes one token and says how long to wait until it is there; 0 when it is there now. */
  reserve(): number {
    const nowMs = this.#clock.monotonic();
    this.#tokens = Math.min(this.#burst, this.#tokens + (nowMs - this.#countedAtMs) * this.#perMs) - 1;
    this.#countedAtMs = nowMs;
    return this.#tokens >= 0 ? 0 : -this.#tokens / this.#perMs;
  }
}
