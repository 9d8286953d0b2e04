import type { Dispatcher } from "undici";

/** A complete response, neither decompressed nor parsed. */
export interface RawResponse {
  readonly status: number;
  /** Names in lower case; repeated headers are joined with commas. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/**
 * Sends a request and buffers the complete response.
 *
 * Uses undici's `dispatch` instead of `request`, because a stream per body costs more than the rest of a small request. Rejects with undici's
 * error or the reason of `signal`.
 */
export function fetchBuffered(
  dispatcher: Dispatcher,
  options: Dispatcher.DispatchOptions,
  signal: AbortSignal | undefined,
): Promise<RawResponse> {
  return new Promise((resolve, reject) => {
    dispatcher.dispatch(options, new Collector(resolve, reject, signal));
  });
}

/** Collects the parts of a response. */
export class Collector implements Dispatcher.DispatchHandler {
  readonly #resolve: (response: RawResponse) => void;
  readonly #reject: (error: unknown) => void;
  readonly #signal: AbortSignal | undefined;
  readonly #onAbort: (() => void) | undefined;
  readonly #chunks: Buffer[] = [];
  #controller: Dispatcher.DispatchController | undefined;
  #status = 0;
  #headers: Readonly<Record<string, string>> = {};

  constructor(
    resolve: (response: RawResponse) => void,
    reject: (error: unknown) => void,
    signal: AbortSignal | undefined,
  ) {
    this.#resolve = resolve;
    this.#reject = reject;
    this.#signal = signal;
    if (signal !== undefined) {
      this.#onAbort = () => {
        reject(signal.reason);
        this.#controller?.abort(new Error("aborted"));
      };
      signal.addEventListener("abort", this.#onAbort, { once: true });
    }
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    // It may have been aborted while it waited for a connection.
    if (this.#signal?.aborted) controller.abort(new Error("aborted"));
  }

  onResponseStart(
    _: Dispatcher.DispatchController,
    status: number,
    headers: Record<string, string | string[] | undefined>,
  ): void {
    this.#status = status;
    this.#headers = flatHeaders(headers);
  }

  onResponseData(_: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#chunks.push(chunk);
  }

  onResponseEnd(): void {
    this.settle();
    const [first] = this.#chunks;
    const body = first !== undefined && this.#chunks.length === 1 ? first : Buffer.concat(this.#chunks);
    this.#resolve({ status: this.#status, headers: this.#headers, body });
  }

  onResponseError(_: Dispatcher.DispatchController, error: Error): void {
    this.settle();
    this.#reject(error);
  }

  /** Removes the listener of the signal. */
  protected settle(): void {
    if (this.#onAbort) this.#signal?.removeEventListener("abort", this.#onAbort);
  }
}

/** Joins repeated headers, so that each name has one value. */
export function flatHeaders(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  const flat: Record<string, string> = {};
  for (const name of Object.keys(headers)) {
    const value = headers[name];
    if (typeof value === "string") flat[name] = value;
    else if (value !== undefined) flat[name] = value.join(", ");
  }
  return flat;
}
