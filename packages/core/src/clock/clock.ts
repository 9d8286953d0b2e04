/**
 * Source of time and timers, injected so that a test can replace it by a {@link FakeClock}.
 *
 * Kubewright reads the time and starts timers only through a Clock.
 */
export interface Clock {
  /** Milliseconds since the epoch, for timestamps in objects. May jump. */
  now(): number;
  /** Monotonic milliseconds, for durations and deadlines. */
  monotonic(): number;
  /** Calls `callback` once, `delayMs` from now. Always asynchronous, even for a delay of zero or less. */
  startTimer(delayMs: number, callback: () => void): Timer;
}

/** A started timer. */
export interface Timer {
  /** Stops the timer; does nothing if it has fired or is cancelled. */
  cancel(): void;
}
