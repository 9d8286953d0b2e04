/**
 * Until when this process leads, by a monotonic clock: the one value that everything is decided by.
 *
 * Once closed it stays closed: nobody leads again.
 */
export interface LeaseHold {
  /** Milliseconds of the monotonic clock; undefined before the lease was held, and after the close. */
  readonly deadlineMs: number | undefined;
  readonly closed: boolean;
  /** Moves the deadline on. Does nothing after the close. */
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
