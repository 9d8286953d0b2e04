import { OperatorError } from "@kubewright/core/errors";
import type { Dispatcher } from "undici";
import { flatHeaders } from "./buffered-response.js";
import { LineSplitter } from "./line-splitter.js";

/** Backpressure: reading from the socket pauses above this many buffered bytes. */
const waitingLimit = 1024 * 1024;

/** A response whose headers have been read and whose body is still streaming. */
export interface OpenResponse {
  readonly status: number;
  /** Names in lower case; repeated headers are joined with commas. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: StreamedBody;
}

/**
 * Sends a request and resolves once the response headers have arrived; the body streams.
 *
 * Uses undici's `dispatch`, because a Node stream around each chunk costs more than splitting it into lines. Rejects with undici's error or the
 * reason of `signal`; after the headers, both fail the body instead.
 */
export function fetchStream(
  dispatcher: Dispatcher,
  options: Dispatcher.DispatchOptions,
  signal: AbortSignal | undefined,
): Promise<OpenResponse> {
  return new Promise((resolve, reject) => {
    dispatcher.dispatch(options, new StreamedBody(resolve, reject, signal));
  });
}

/** The body of a streaming response, for one reader at a time. */
export class StreamedBody implements Dispatcher.DispatchHandler {
  readonly #opened: (response: OpenResponse) => void;
  readonly #failed: (error: unknown) => void;
  readonly #signal: AbortSignal | undefined;
  readonly #onAbort = () => this.#fail(this.#signal?.reason);
  readonly #lines = new LineSplitter();
  #controller: Dispatcher.DispatchController | undefined;
  #paused = false;
  #end: { readonly error?: unknown } | undefined;
  /** Wakes the reader that waits for bytes. */
  #wake: (() => void) | undefined;

  constructor(
    opened: (response: OpenResponse) => void,
    failed: (error: unknown) => void,
    signal: AbortSignal | undefined,
  ) {
    this.#opened = opened;
    this.#failed = failed;
    this.#signal = signal;
    signal?.addEventListener("abort", this.#onAbort, { once: true });
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    // It may have been aborted while it waited for a connection.
    if (this.#end !== undefined || this.#signal?.aborted) controller.abort(new Error("aborted"));
  }

  onResponseStart(
    _: Dispatcher.DispatchController,
    status: number,
    headers: Record<string, string | string[] | undefined>,
  ): void {
    this.#opened({ status, headers: flatHeaders(headers), body: this });
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#end !== undefined) return;
    this.#lines.push(chunk);
    if (this.#lines.bytes > waitingLimit && !this.#paused) {
      this.#paused = true;
      controller.pause();
    }
    this.#wake?.();
  }

  onResponseEnd(): void {
    this.#settle({});
  }

  onResponseError(_: Dispatcher.DispatchController, error: Error): void {
    this.#settle({ error });
    this.#failed(error);
  }

  /** Reads the body to its end. Throws the error that ended it early. */
  async readAll(): Promise<Buffer> {
    this.#resume(Number.POSITIVE_INFINITY);
    while (this.#end === undefined) await this.#more();
    if ("error" in this.#end) throw this.#end.error;
    return this.#lines.rest();
  }

  /**
   * Returns the next line; undefined after the last one. A promise only if more bytes are needed, because lines arrive in batches. Throws the
   * error that ended the response early, after the lines before it.
   */
  line(): Buffer | undefined | Promise<Buffer | undefined> {
    const line = this.#lines.next();
    if (line !== undefined) {
      this.#resume(waitingLimit / 2);
      return line;
    }
    if (this.#end === undefined) {
      this.#resume(Number.POSITIVE_INFINITY);
      return this.#more().then(() => this.line());
    }
    const last = this.#lines.rest();
    if (last.length > 0) return last;
    if ("error" in this.#end) throw this.#end.error;
    return undefined;
  }

  /** Closes the response and its connection; the reader sees its end. */
  close(): void {
    if (this.#end !== undefined) return;
    this.#settle({});
    this.#controller?.abort(new Error("closed"));
  }

  #fail(error: unknown): void {
    if (this.#end !== undefined) return;
    this.#settle({ error });
    this.#failed(error);
    this.#controller?.abort(new Error("aborted"));
  }

  #settle(end: { readonly error?: unknown }): void {
    this.#signal?.removeEventListener("abort", this.#onAbort);
    this.#end ??= end;
    this.#wake?.();
  }

  #more(): Promise<void> {
    if (this.#wake !== undefined)
      throw new OperatorError("TRANSPORT_FAILED", "Cannot read the response: it already has a reader");
    return new Promise((resolve) => {
      this.#wake = () => {
        this.#wake = undefined;
        resolve();
      };
    });
  }

  #resume(belowBytes: number): void {
    if (!this.#paused || this.#lines.bytes > belowBytes) return;
    this.#paused = false;
    this.#controller?.resume();
  }
}
