import { type Clock, sleep } from "@kubewright/core/clock";

/** How many requests a client sends at most. */
export interface RateLimitOptions {
  /** Requests per second in the long run. */
  readonly qps: number;
  /** Requests that may be sent at once after a pause. @default twice `qps`, at least 1 */
  readonly burst?: number;
}

/**
 * A token bucket: `burst` requests at once, then `qps` per second, in the order in which they asked.
 *
 * `take` resolves when a request may be sent, or as soon as `signal` aborts; then its turn is given back.
 */
export class RateLimit {
  readonly #clock: Clock;
  readonly #msPerToken: number;
  readonly #burst: number;
  /** When the bucket will be, or was, exactly full. Each token moves it on; so one number holds the whole state. */
  #fullAtMs = Number.NEGATIVE_INFINITY;

  constructor(clock: Clock, { qps, burst = Math.max(1, Math.ceil(2 * qps)) }: RateLimitOptions) {
    if (!(qps > 0)) throw new RangeError(`Cannot limit requests: qps must be above 0, not ${qps}`);
    if (!(burst >= 1)) throw new RangeError(`Cannot limit requests: burst must be at least 1, not ${burst}`);
    this.#clock = clock;
    this.#msPerToken = 1_000 / qps;
    this.#burst = Math.floor(burst);
  }

  async take(signal?: AbortSignal): Promise<void> {
    const nowMs = this.#clock.monotonic();
    this.#fullAtMs = Math.max(this.#fullAtMs, nowMs) + this.#msPerToken;
    const waitMs = this.#fullAtMs - nowMs - this.#burst * this.#msPerToken;
    if (waitMs <= 0) return;
    await sleep(this.#clock, waitMs, signal);
    if (signal?.aborted) this.#fullAtMs -= this.#msPerToken;
  }
}
