import { OperatorError } from "@kubewright/core/errors";
import type { StreamedBody } from "./streamed-answer.js";

/**
 * One parsed value per line of an answer. Leaving the loop lets go of the answer.
 *
 * Not an async generator, which would cost more turns for each value than finding and parsing it needs.
 */
export class EventItems implements AsyncIterableIterator<unknown> {
  readonly #body: StreamedBody;
  readonly #parse: (bytes: Buffer) => unknown;
  readonly #explain: (cause: unknown) => unknown;

  /** `explain` makes the error that the reader sees out of what ended the answer. */
  constructor(body: StreamedBody, parse: (bytes: Buffer) => unknown, explain: (cause: unknown) => unknown) {
    this.#body = body;
    this.#parse = parse;
    this.#explain = explain;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async next(): Promise<IteratorResult<unknown, undefined>> {
    try {
      for (;;) {
        const found = this.#body.line();
        const line = found instanceof Promise ? await found : found;
        if (line === undefined) return { done: true, value: undefined };
        if (!isBlank(line)) return { done: false, value: this.#parseLine(line) };
      }
    } catch (cause) {
      this.#body.close();
      throw this.#explain(cause);
    }
  }

  return(): Promise<IteratorResult<unknown, undefined>> {
    this.#body.close();
    return Promise.resolve({ done: true, value: undefined });
  }

  #parseLine(line: Buffer): unknown {
    try {
      return this.#parse(line);
    } catch (cause) {
      const start = line.toString("utf8", 0, 80);
      throw new OperatorError("TRANSPORT_FAILED", `Cannot read watch event: "${start}" is not JSON`, { cause });
    }
  }
}

/** Spaces and line ends may stand between events. */
function isBlank(line: Buffer): boolean {
  return line.every((byte) => byte === 0x20 || byte === 0x0d || byte === 0x09);
}
