import { OperatorError } from "@kubewright/core/errors";

/** The reason of requests that end early. Created once: the default abort reason captures a stack for every request. */
export const clientGone = new OperatorError(
  "STOPPED",
  "Cannot continue the request: the client disconnected, or the server is stopping",
);

/**
 * Whether the client of a request still waits for the response.
 *
 * The signal is created on first use: few requests read it, and creating one costs more than routing a request.
 */
export class ClientConnection {
  readonly #stop: AbortSignal;
  #abort: AbortController | undefined;
  #isGone = false;

  /** `stop` aborts when the server stops. */
  constructor(stop: AbortSignal) {
    this.#stop = stop;
  }

  /** Aborts when the client disconnects or the server stops. */
  get signal(): AbortSignal {
    if (this.#abort !== undefined) return this.#abort.signal;
    const abort = new AbortController();
    this.#abort = abort;
    const stop = this.#stop;
    if (this.#isGone || stop.aborted) abort.abort(clientGone);
    else {
      // Not `AbortSignal.any`, which costs more than many requests.
      const onStop = (): void => abort.abort(clientGone);
      stop.addEventListener("abort", onStop, { once: true });
      abort.signal.addEventListener("abort", () => stop.removeEventListener("abort", onStop), { once: true });
    }
    return abort.signal;
  }

  /** The client disconnected, or has received its response. */
  end(): void {
    this.#isGone = true;
    this.#abort?.abort(clientGone);
  }
}
