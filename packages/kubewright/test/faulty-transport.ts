import { OperatorError } from "@kubewright/core/errors";
import type { Transport, TransportRequest, TransportResponse, TransportStream } from "@kubewright/core/transport";

/** How a stream ends early. */
export type StreamEnd = "lost" | "closed" | "expired";

interface OpenStream {
  end(how: StreamEnd): void;
}

/** Wraps a transport and injects faults. */
export class FaultyTransport implements Transport {
  readonly #inner: Transport;
  readonly #streams = new Set<OpenStream>();
  #held: { readonly opened: Promise<void>; open(): void } | undefined;
  /** How many of the next requests do not reach the server. */
  lostRequests = 0;
  /** How many of the next responses are lost after the server processed the request. */
  lostResponses = 0;

  constructor(inner: Transport) {
    this.#inner = inner;
  }

  async send(request: TransportRequest): Promise<TransportResponse> {
    this.#mayFail();
    const response = await this.#inner.send(request);
    if (this.lostResponses > 0) {
      this.lostResponses -= 1;
      throw new OperatorError("TRANSPORT_FAILED", "The response was lost");
    }
    return response;
  }

  async stream(request: TransportRequest): Promise<TransportStream> {
    this.#mayFail();
    const stream = await this.#inner.stream(request);
    if (stream.kind !== "stream") return stream;
    return { ...stream, items: this.#items(stream.items) };
  }

  /** Ends every open stream. */
  endStreams(how: StreamEnd): void {
    for (const stream of this.#streams) stream.end(how);
  }

  /** Holds all events back until {@link release}. */
  hold(): void {
    if (this.#held !== undefined) return;
    let open = (): void => {};
    const opened = new Promise<void>((resolve) => {
      open = resolve;
    });
    this.#held = { opened, open };
  }

  release(): void {
    this.#held?.open();
    this.#held = undefined;
  }

  async close(): Promise<void> {}

  #mayFail(): void {
    if (this.lostRequests === 0) return;
    this.lostRequests -= 1;
    throw new OperatorError("TRANSPORT_FAILED", "The connection was refused");
  }

  async *#items(inner: AsyncIterable<unknown>): AsyncIterable<unknown> {
    const iterator = inner[Symbol.asyncIterator]();
    let end: OpenStream["end"] = () => {};
    const ended = new Promise<StreamEnd>((resolve) => {
      end = resolve;
    });
    const stream: OpenStream = { end: (how) => end(how) };
    this.#streams.add(stream);
    try {
      for (;;) {
        const item = await Promise.race([iterator.next(), ended]);
        await Promise.race([this.#held?.opened, ended]);
        // An event in flight when the stream ends is lost.
        const next = (await Promise.race([ended, undefined])) ?? item;
        if (next === "lost") throw new OperatorError("TRANSPORT_FAILED", "The connection was lost");
        if (next === "closed") return;
        if (next === "expired") {
          yield { type: "ERROR", object: expired };
          return;
        }
        if (next.done === true) return;
        yield next.value;
      }
    } finally {
      this.#streams.delete(stream);
      await iterator.return?.();
    }
  }
}

const expired = {
  kind: "Status",
  apiVersion: "v1",
  metadata: {},
  status: "Failure",
  reason: "Expired",
  message: "too old resource version",
  code: 410,
};
