import { type Clock, systemClock, type Timer, type TimerOptions } from "@kubewright/core/clock";

/** A clock that a test can advance. A `FakeClock` stands still otherwise; a {@link SkippingClock} runs in real time. */
export interface MovableClock extends Clock {
  /** Milliseconds until the next timer is due, background timers not counted; undefined without timers. */
  readonly nextTimerInMs: number | undefined;
  /** Advances the time, and fires due timers in order. */
  advance(ms: number): void;
}

interface PendingTimer {
  readonly dueMs: number;
  readonly callback: () => void;
  readonly isBackground: boolean;
  waiting: Timer;
}

/**
 * Real time that can be skipped, for tests on a real API server, whose clock cannot be controlled.
 *
 * Timers fire when they are due in real time, or when `advance` skips their due time.
 */
export class SkippingClock implements MovableClock {
  #skippedMs = 0;
  readonly #timers = new Set<PendingTimer>();

  now(): number {
    return systemClock.now() + this.#skippedMs;
  }

  monotonic(): number {
    return systemClock.monotonic() + this.#skippedMs;
  }

  startTimer(delayMs: number, callback: () => void, { background = false }: TimerOptions = {}): Timer {
    const timer: PendingTimer = {
      dueMs: this.monotonic() + Math.max(0, delayMs),
      callback,
      isBackground: background,
      waiting: systemClock.startTimer(delayMs, () => this.#fire(timer)),
    };
    this.#timers.add(timer);
    return { cancel: () => this.#remove(timer) };
  }

  get nextTimerInMs(): number | undefined {
    const next = this.#next((timer) => !timer.isBackground);
    return next && Math.max(0, next.dueMs - this.monotonic());
  }

  advance(ms: number): void {
    const endMs = this.monotonic() + ms;
    for (let next = this.#next(); next && next.dueMs <= endMs; next = this.#next()) {
      this.#skippedMs += Math.max(0, next.dueMs - this.monotonic());
      this.#fire(next);
    }
    this.#skippedMs += Math.max(0, endMs - this.monotonic());
    // The remaining timers are due earlier in real time now.
    for (const timer of this.#timers) {
      timer.waiting.cancel();
      timer.waiting = systemClock.startTimer(timer.dueMs - this.monotonic(), () => this.#fire(timer));
    }
  }

  #fire(timer: PendingTimer): void {
    if (this.#timers.has(timer)) {
      this.#remove(timer);
      timer.callback();
    }
  }

  #remove(timer: PendingTimer): void {
    timer.waiting.cancel();
    this.#timers.delete(timer);
  }

  #next(counts: (timer: PendingTimer) => boolean = () => true): PendingTimer | undefined {
    let first: PendingTimer | undefined;
    for (const timer of this.#timers) if (counts(timer) && (!first || timer.dueMs < first.dueMs)) first = timer;
    return first;
  }
}
