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
  startTimer(delayMs: number, callback: () => void, options?: TimerOptions): Timer;
}

/** Options of a timer. */
export interface TimerOptions {
  /**
   * Periodic upkeep that changes nothing by itself, such as a heartbeat or the check of a connection. Virtual time does not stop for it: it may fire late,
   * and once instead of many times, when time is advanced beyond it. Real time ignores this. @default false
   */
  readonly background?: boolean;
}

/** A started timer. */
export interface Timer {
  /** Stops the timer; does nothing if it has fired or is cancelled. */
  cancel(): void;
}
