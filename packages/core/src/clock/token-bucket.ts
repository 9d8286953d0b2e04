import type { Clock } from "./clock.js";
import { sleep } from "./sleep.js";

/** Rate and burst of a {@link TokenBucket}. */
export interface RateLimit {
  /** Average number per second. */
  readonly perSecond: number;
  /** Maximum number without delay after a pause. @default twice `perSecond`, at least 1 */
  readonly burst?: number;
}

/** A token bucket rate limiter. Tokens are granted in the order of the calls. */
export class TokenBucket {
  readonly #clock: Clock;
  readonly #msPerToken: number;
  readonly #burst: number;
  /** When the bucket will be, or was, exactly full. Each token moves it forward, so this number is the whole state. */
  #fullAtMs = Number.NEGATIVE_INFINITY;

  constructor(clock: Clock, { perSecond, burst = Math.max(1, Math.ceil(2 * perSecond)) }: RateLimit) {
    if (!(perSecond > 0))
      throw new RangeError(`Cannot create a TokenBucket: perSecond must be above 0, not ${perSecond}`);
    if (!(burst >= 1)) throw new RangeError(`Cannot create a TokenBucket: burst must be at least 1, not ${burst}`);
    this.#clock = clock;
    this.#msPerToken = 1_000 / perSecond;
    this.#burst = Math.floor(burst);
  }

  /** Reserves a token and returns the delay in milliseconds until it is available. */
  reserve(): number {
    const nowMs = this.#clock.monotonic();
    this.#fullAtMs = Math.max(this.#fullAtMs, nowMs) + this.#msPerToken;
    return Math.max(0, this.#fullAtMs - nowMs - this.#burst * this.#msPerToken);
  }

  /** Resolves when a token is available, or when `signal` aborts; then the token is returned. */
  async take(signal?: AbortSignal): Promise<void> {
    const waitMs = this.reserve();
    if (waitMs <= 0) return;
    await sleep(this.#clock, waitMs, signal);
    if (signal?.aborted) this.#fullAtMs -= this.#msPerToken;
  }
}
