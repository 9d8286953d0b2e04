import { OperatorError } from "@kubewright/core/errors";
import type { StreamedBody } from "./streamed-response.js";

/** How the lines of a response are read. */
export interface LineFormat {
  parse(line: Buffer): unknown;
  readonly skipsBlank: boolean;
}

/**
 * Iterates over the lines of a response, parsed. Leaving the loop closes the response.
 *
 * Not an async generator: its extra microtasks would cost more than splitting and parsing a line.
 */
export class EventItems implements AsyncIterableIterator<unknown> {
  readonly #body: StreamedBody;
  readonly #format: LineFormat;
  readonly #explain: (cause: unknown) => unknown;

  /** `explain` converts the error that ended the response to the one that the reader receives. */
  constructor(body: StreamedBody, format: LineFormat, explain: (cause: unknown) => unknown) {
    this.#body = body;
    this.#format = format;
    this.#explain = explain;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  next(): Promise<IteratorResult<unknown, undefined>> {
    try {
      const line = this.#body.line();
      if (!(line instanceof Promise)) return this.#result(line);
      return line.then(
        (later) => this.#result(later),
        (cause: unknown) => this.#failed(cause),
      );
    } catch (cause) {
      return this.#failed(cause);
    }
  }

  return(): Promise<IteratorResult<unknown, undefined>> {
    this.#body.close();
    return Promise.resolve({ done: true, value: undefined });
  }

  #result(line: Buffer | undefined): Promise<IteratorResult<unknown, undefined>> {
    if (line === undefined) return Promise.resolve({ done: true, value: undefined });
    if (this.#format.skipsBlank && isBlank(line)) return this.next();
    try {
      return Promise.resolve({ done: false, value: this.#parseLine(line) });
    } catch (cause) {
      return this.#failed(cause);
    }
  }

  #failed(cause: unknown): Promise<never> {
    this.#body.close();
    return Promise.reject(this.#explain(cause));
  }

  #parseLine(line: Buffer): unknown {
    try {
      return this.#format.parse(line);
    } catch (cause) {
      const start = line.toString("utf8", 0, 80);
      throw new OperatorError("TRANSPORT_FAILED", `Cannot read watch event: "${start}" is not JSON`, { cause });
    }
  }
}

/** Whitespace is allowed between events. */
function isBlank(line: Buffer): boolean {
  for (let index = 0; index < line.length; index++) {
    const byte = line[index];
    if (byte !== 0x20 && byte !== 0x0d && byte !== 0x09) return false;
  }
  return true;
}
