import type { Transport, TransportRequest, TransportResponse, TransportStream } from "@kubewright/core/transport";

/** Passes requests on, and counts them: those made, those under way, and what watches brought. */
export class CountingTransport implements Transport {
  readonly #inner: Transport;
  #requests = 0;
  #underWay = 0;
  #events = 0;

  constructor(inner: Transport) {
    this.#inner = inner;
  }

  /** How many requests were made, watches included. */
  get requests(): number {
    return this.#requests;
  }

  /** How many requests wait for their answer; an open watch does not. */
  get underWay(): number {
    return this.#underWay;
  }

  /** How many watch events have arrived. */
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
    this.#underWay++;
    try {
      return await send();
    } finally {
      this.#underWay--;
    }
  }

  async *#countedItems(items: AsyncIterable<unknown>): AsyncGenerator<unknown, void> {
    for await (const item of items) {
      this.#events++;
      yield item;
    }
  }
}
