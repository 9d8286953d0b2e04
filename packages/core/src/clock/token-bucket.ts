import type { Clock } from "./clock.js";
import { sleep } from "./sleep.js";

/** How often something may happen. */
export interface RateLimit {
  /** How many per second in the long run. */
  readonly perSecond: number;
  /** How many at once after a pause. @default twice `perSecond`, at least 1 */
  readonly burst?: number;
}

/** Spreads what comes too fast: each turn gets its own moment, in the order in which it was asked for. */
export class TokenBucket {
  readonly #clock: Clock;
  readonly #msPerToken: number;
  readonly #burst: number;
  /** When the bucket will be, or was, exactly full. Each token moves it on; so one number holds the whole state. */
  #fullAtMs = Number.NEGATIVE_INFINITY;

  constructor(clock: Clock, { perSecond, burst = Math.max(1, Math.ceil(2 * perSecond)) }: RateLimit) {
    if (!(perSecond > 0)) throw new RangeError(`Cannot limit a rate: perSecond must be above 0, not ${perSecond}`);
    if (!(burst >= 1)) throw new RangeError(`Cannot limit a rate: burst must be at least 1, not ${burst}`);
    this.#clock = clock;
    this.#msPerToken = 1_000 / perSecond;
    this.#burst = Math.floor(burst);
  }

  /** Takes a turn, and says in how many milliseconds it comes; 0: now. */
  reserve(): number {
    const nowMs = this.#clock.monotonic();
    this.#fullAtMs = Math.max(this.#fullAtMs, nowMs) + this.#msPerToken;
    return Math.max(0, this.#fullAtMs - nowMs - this.#burst * this.#msPerToken);
  }

  /** Takes a turn, and resolves when it comes, or as soon as `signal` aborts; then the turn is given back. */
  async take(signal?: AbortSignal): Promise<void> {
    const waitMs = this.reserve();
    if (waitMs <= 0) return;
    await sleep(this.#clock, waitMs, signal);
    if (signal?.aborted) this.#fullAtMs -= this.#msPerToken;
  }
}
