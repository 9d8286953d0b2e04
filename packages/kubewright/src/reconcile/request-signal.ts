import { setMaxListeners } from "node:events";

/** The signal is replaced after so many runs. */
const runsPerSignal = 1_000;

/**
 * The signal for the requests that a worker makes in its runs, which come one after the other: aborts when the controller stops.
 *
 * Shared by many runs, because creating one costs more than a short run. Replaced now and then, because `AbortSignal.any`, as in a request with a
 * timeout, leaves a reference in each of its sources.
 */
export class RequestSignal {
  readonly #stop: AbortSignal;
  readonly #onStop = (): void => this.#abort?.abort(this.#stop.reason);
  #abort: AbortController | undefined;
  #runs = 0;

  constructor(stop: AbortSignal) {
    this.#stop = stop;
  }

  get signal(): AbortSignal {
    this.#abort ??= this.#listen();
    return this.#abort.signal;
  }

  /** Call when a run and its requests have ended. */
  runEnded(): void {
    this.#runs += 1;
    if (this.#runs % runsPerSignal === 0) this.close();
  }

  /** Stops listening. */
  close(): void {
    if (this.#abort !== undefined) this.#stop.removeEventListener("abort", this.#onStop);
    this.#abort = undefined;
  }

  #listen(): AbortController {
    const abort = new AbortController();
    // One listener per request in flight is no leak.
    setMaxListeners(0, abort.signal);
    if (this.#stop.aborted) abort.abort(this.#stop.reason);
    else this.#stop.addEventListener("abort", this.#onStop, { once: true });
    return abort;
  }
}
