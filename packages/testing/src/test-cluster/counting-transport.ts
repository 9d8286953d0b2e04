import type { Transport, TransportRequest, TransportResponse, TransportStream } from "@kubewright/core/transport";

/** Forwards requests and counts them, the pending ones, and watch events. */
export class CountingTransport implements Transport {
  readonly #inner: Transport;
  #requests = 0;
  #pending = 0;
  #events = 0;

  constructor(inner: Transport) {
    this.#inner = inner;
  }

  /** Number of requests sent, watches included. */
  get requests(): number {
    return this.#requests;
  }

  /** Number of requests without a response yet; open watches do not count. */
  get pending(): number {
    return this.#pending;
  }

  /** Number of watch events received. */
  get events(): number {
    return this.#events;
  }

  send(request: TransportRequest): Promise<TransportResponse> {
    return this.#counted(() => this.#inner.send(request));
  }

  async stream(request: TransportRequest): Promise<TransportStream> {
    const stream = await this.#counted(() => this.#inner.stream(request));
    return stream.kind === "answer" ? stream : { ...stream, items: this.#countedItems(stream.items) };
  }

  close(): Promise<void> {
    return this.#inner.close();
  }

  async #counted<T>(send: () => Promise<T>): Promise<T> {
    this.#requests++;
    this.#pending++;
    try {
      return await send();
    } finally {
      this.#pending--;
    }
  }

  async *#countedItems(items: AsyncIterable<unknown>): AsyncGenerator<unknown, void> {
    for await (const item of items) {
      this.#events++;
      yield item;
    }
  }
}
