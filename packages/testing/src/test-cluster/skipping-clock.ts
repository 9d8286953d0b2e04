import { type Clock, systemClock, type Timer } from "@kubewright/core/clock";

/** A clock that a test can move on. Of a `FakeClock` nothing else moves; a {@link SkippingClock} also runs by itself. */
export interface MovableClock extends Clock {
  /** Milliseconds until the next timer is due; undefined when none waits. */
  readonly nextTimerInMs: number | undefined;
  /** Moves time on, and fires what becomes due, in order. */
  advance(ms: number): void;
}

interface PendingTimer {
  readonly dueMs: number;
  readonly callback: () => void;
  waiting: Timer;
}

/**
 * Real time that can be skipped: what a test uses beside a real server, whose own time nobody can move.
 *
 * Timers fire when their time comes, or when `advance` skips it.
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

  startTimer(delayMs: number, callback: () => void): Timer {
    const timer: PendingTimer = {
      dueMs: this.monotonic() + Math.max(0, delayMs),
      callback,
      waiting: systemClock.startTimer(delayMs, () => this.#fire(timer)),
    };
    this.#timers.add(timer);
    return { cancel: () => this.#forget(timer) };
  }

  get nextTimerInMs(): number | undefined {
    const next = this.#next();
    return next && Math.max(0, next.dueMs - this.monotonic());
  }

  advance(ms: number): void {
    const endMs = this.monotonic() + ms;
    for (let next = this.#next(); next && next.dueMs <= endMs; next = this.#next()) {
      this.#skippedMs += Math.max(0, next.dueMs - this.monotonic());
      this.#fire(next);
    }
    this.#skippedMs += Math.max(0, endMs - this.monotonic());
    // Those that still wait are nearer now than their real timers know.
    for (const timer of this.#timers) {
      timer.waiting.cancel();
      timer.waiting = systemClock.startTimer(timer.dueMs - this.monotonic(), () => this.#fire(timer));
    }
  }

  #fire(timer: PendingTimer): void {
    if (this.#timers.has(timer)) {
      this.#forget(timer);
      timer.callback();
    }
  }

  #forget(timer: PendingTimer): void {
    timer.waiting.cancel();
    this.#timers.delete(timer);
  }

  #next(): PendingTimer | undefined {
    let first: PendingTimer | undefined;
    for (const timer of this.#timers) if (!first || timer.dueMs < first.dueMs) first = timer;
    return first;
  }
}
