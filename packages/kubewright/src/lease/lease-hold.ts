/**
 * The time until which this process is the leader, by a monotonic clock. Everything else derives from it.
 *
 * Once closed it stays closed: this process does not lead again.
 */
export interface LeaseHold {
  /** Milliseconds of the monotonic clock; undefined before the lease is held and after close. */
  readonly deadlineMs: number | undefined;
  readonly closed: boolean;
  /** Extends the deadline. Does nothing after close. */
  extend(deadlineMs: number): void;
  close(): void;
}

/** A hold for one thread. */
export class LocalHold implements LeaseHold {
  #deadlineMs: number | undefined;
  #closed = false;

  get deadlineMs(): number | undefined {
    return this.#deadlineMs;
  }

  get closed(): boolean {
    return this.#closed;
  }

  extend(deadlineMs: number): void {
    if (!this.#closed) this.#deadlineMs = deadlineMs;
  }

  close(): void {
    this.#closed = true;
    this.#deadlineMs = undefined;
  }
}
