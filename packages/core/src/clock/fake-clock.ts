import type { Clock, Timer, TimerOptions } from "./clock.js";

interface PendingTimer {
  readonly dueMs: number;
  /** Timers with the same due time fire in the order in which they were started. */
  readonly order: number;
  readonly callback: () => void;
  readonly isBackground: boolean;
}

/** A clock that only moves when a test advances it. */
export class FakeClock implements Clock {
  readonly #startMs: number;
  #elapsedMs = 0;
  #started = 0;
  readonly #timers = new Set<PendingTimer>();

  /** Starts at `startMs` (milliseconds since the epoch). */
  constructor(startMs: number = Date.UTC(2030, 0, 1)) {
    this.#startMs = startMs;
  }

  now(): number {
    return this.#startMs + this.#elapsedMs;
  }

  monotonic(): number {
    return this.#elapsedMs;
  }

  startTimer(delayMs: number, callback: () => void, { background = false }: TimerOptions = {}): Timer {
    const dueMs = this.#elapsedMs + Math.max(0, delayMs);
    const timer: PendingTimer = { dueMs, order: this.#started++, callback, isBackground: background };
    this.#timers.add(timer);
    return { cancel: () => void this.#timers.delete(timer) };
  }

  /** Number of pending timers. */
  get pendingTimers(): number {
    return this.#timers.size;
  }

  /** Milliseconds until the next timer is due, background timers not counted; undefined if none is pending. */
  get nextTimerInMs(): number | undefined {
    const next = this.#next((timer) => !timer.isBackground);
    return next && next.dueMs - this.#elapsedMs;
  }

  /** Advances time and fires due timers in order, each at its due time, including timers that callbacks start. */
  advance(ms: number): void {
    const endMs = this.#elapsedMs + ms;
    for (let next = this.#next(); next && next.dueMs <= endMs; next = this.#next()) {
      this.#elapsedMs = next.dueMs;
      this.#timers.delete(next);
      next.callback();
    }
    this.#elapsedMs = endMs;
  }

  #next(counts: (timer: PendingTimer) => boolean = () => true): PendingTimer | undefined {
    let first: PendingTimer | undefined;
    for (const timer of this.#timers) {
      if (!counts(timer)) continue;
      if (!first || timer.dueMs < first.dueMs || (timer.dueMs === first.dueMs && timer.order < first.order))
        first = timer;
    }
    return first;
  }
}
