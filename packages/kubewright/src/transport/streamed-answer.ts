import { OperatorError } from "@kubewright/core/errors";
import type { Dispatcher } from "undici";
import { LineSplitter } from "./line-splitter.js";
import { flatHeaders } from "./whole-answer.js";

/** So much may wait to be read; then the server is made to wait. */
const waitingLimit = 1024 * 1024;

/** An answer of which only the head was read. */
export interface OpenAnswer {
  readonly status: number;
  /** Names in lower case; several of one name are joined by commas. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: StreamedBody;
}

/**
 * Sends a request and gives its answer once the head is there; the body is read as it comes.
 *
 * By undici's dispatch, like ordinary requests: a stream of Node's around each chunk costs more than finding the lines in it. Rejects with
 * undici's error, or with the reason of `signal`; both end the body later too.
 */
export function fetchStream(
  dispatcher: Dispatcher,
  options: Dispatcher.DispatchOptions,
  signal: AbortSignal | undefined,
): Promise<OpenAnswer> {
  return new Promise((resolve, reject) => {
    dispatcher.dispatch(options, new StreamedBody(resolve, reject, signal));
  });
}

/** The body of an answer, as it comes. One reader at a time. */
export class StreamedBody implements Dispatcher.DispatchHandler {
  readonly #opened: (answer: OpenAnswer) => void;
  readonly #failed: (error: unknown) => void;
  readonly #signal: AbortSignal | undefined;
  readonly #onAbort = () => this.#fail(this.#signal?.reason);
  readonly #lines = new LineSplitter();
  #controller: Dispatcher.DispatchController | undefined;
  #paused = false;
  #end: { readonly error?: unknown } | undefined;
  /** Wakes the reader that waits for bytes. */
  #wake: (() => void) | undefined;

  constructor(opened: (answer: OpenAnswer) => void, failed: (error: unknown) => void, signal: AbortSignal | undefined) {
    this.#opened = opened;
    this.#failed = failed;
    this.#signal = signal;
    signal?.addEventListener("abort", this.#onAbort, { once: true });
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    // It may have been given up while it waited for a connection.
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

  /** Everything, once the server has sent it all. Throws what ended it early. */
  async whole(): Promise<Buffer> {
    this.#resume(Number.POSITIVE_INFINITY);
    while (this.#end === undefined) await this.#more();
    if ("error" in this.#end) throw this.#end.error;
    return this.#lines.rest();
  }

  /**
   * The next line; undefined after the last one. A promise only where bytes have yet to come, as lines come by the hundred. Throws what
   * ended the answer early, after the lines before it.
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

  /** Lets go of the answer and its connection; readers see its end. */
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
      throw new OperatorError("TRANSPORT_FAILED", "Cannot read the answer twice at once: it has a reader");
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
