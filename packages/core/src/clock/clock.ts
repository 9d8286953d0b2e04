/**
 * Time as a value that is passed in, so that a test can replace it by a {@link FakeClock}.
 *
 * Nothing in Kubewright reads the time or starts a timer in another way.
 */
export interface Clock {
  /** Milliseconds since the epoch. For timestamps that are written into objects; it may jump. */
  now(): number;
  /** Milliseconds that never go back. For durations and deadlines. */
  monotonic(): number;
  /** Calls `callback` once, `delayMs` from now. A delay of zero or less still calls it later, never at once. */
  startTimer(delayMs: number, callback: () => void): Timer;
}

/** A timer that has been started. */
export interface Timer {
  /** Stops the timer; does nothing when it has fired or was cancelled before. */
  cancel(): void;
}
