/**
 * Clocks, timers and rate limits with injected time.
 *
 * @module
 */
export type { Clock, Timer, TimerOptions } from "./clock.js";
export { FakeClock } from "./fake-clock.js";
export { sleep } from "./sleep.js";
export { systemClock } from "./system-clock.js";
export { type RateLimit, TokenBucket } from "./token-bucket.js";
