import { setMaxListeners } from "node:events";

/** After so many runs the signal is a new one. */
const runsPerSignal = 1_000;

/**
 * The signal for the requests that a worker makes in its runs, which come one after the other: aborts when the controller stops.
 *
 * One for many runs, because making one costs more than many a run. Renewed now and then, because what joins signals, such as a request with a
 * limited time, may leave a trace in each of them.
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

  /** To be told when a run has ended, and with it its requests. */
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
    // One listener for each request under way is no leak.
    setMaxListeners(0, abort.signal);
    if (this.#stop.aborted) abort.abort(this.#stop.reason);
    else this.#stop.addEventListener("abort", this.#onStop, { once: true });
    return abort;
  }
}
