import type { Clock, Timer } from "@kubewright/core/clock";
import { OperatorError } from "@kubewright/core/errors";

/** What limits a handler: its timeout, and the signal of its caller, which is read when the handler's own signal is. */
export interface DeadlineOptions {
  readonly clock: Clock;
  readonly timeoutMs: number;
  readonly caller: { readonly signal?: AbortSignal };
}

/**
 * Aborts a handler after its timeout, and when its caller stops waiting.
 *
 * The signal and the timer are created when the signal is first read: a handler that neither awaits nor reads it needs neither.
 */
export class HandlerDeadline {
  readonly #options: DeadlineOptions;
  readonly #startedMs: number;
  #abort: AbortController | undefined;
  #timer: Timer | undefined;
  #isEnded = false;

  constructor(options: DeadlineOptions) {
    this.#options = options;
    this.#startedMs = options.clock.monotonic();
  }

  get signal(): AbortSignal {
    this.#abort ??= this.#start();
    return this.#abort.signal;
  }

  /** Whether the signal was read and is aborted. */
  get isOver(): boolean {
    return this.#abort?.signal.aborted === true;
  }

  /** Stops the timer, and forgets the caller. */
  end(): void {
    this.#isEnded = true;
    this.#timer?.cancel();
    if (this.#abort !== undefined) this.#options.caller.signal?.removeEventListener("abort", this.#onAbort);
  }

  #start(): AbortController {
    const { clock, timeoutMs, caller } = this.#options;
    const abort = new AbortController();
    if (this.#isEnded) {
      abort.abort(new OperatorError("WAIT_TIMEOUT", "it has returned"));
      return abort;
    }
    this.#timer = clock.startTimer(Math.max(0, timeoutMs - (clock.monotonic() - this.#startedMs)), () => {
      abort.abort(new OperatorError("WAIT_TIMEOUT", `it did not return within ${timeoutMs / 1_000} s`));
    });
    if (caller.signal?.aborted === true) abort.abort(caller.signal.reason);
    else caller.signal?.addEventListener("abort", this.#onAbort, { once: true });
    return abort;
  }

  readonly #onAbort = (): void => this.#abort?.abort(this.#options.caller.signal?.reason);
}
