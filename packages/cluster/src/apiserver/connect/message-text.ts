import type { IncomingMessage } from "node:http";
import type { TextStream } from "../api-request.js";

/** Reads a response up to a limit, and drops the rest. */
export async function textOf(message: IncomingMessage, limit: number): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of message as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    length += chunk.length;
    if (length >= limit) break;
  }
  message.destroy();
  return Buffer.concat(chunks).toString("utf8", 0, limit);
}

/** The text of a response that has no end. */
export class MessageText implements TextStream {
  readonly #message: IncomingMessage;

  constructor(message: IncomingMessage) {
    this.#message = message;
    message.setEncoding("utf8");
    // The iteration reports errors. One that comes after its end must not end the process.
    message.on("error", () => {});
  }

  get closed(): boolean {
    return this.#message.destroyed;
  }

  close(): void {
    this.#message.destroy();
  }

  async *[Symbol.asyncIterator](): AsyncIterator<string> {
    try {
      for await (const chunk of this.#message) yield String(chunk);
    } catch (error) {
      // The client stopped, or the kubelet: kube-apiserver ends the response in both cases.
      if (!this.#message.destroyed) throw error;
    }
  }
}
