import {
  type Transport,
  type TransportConnection,
  type TransportRequest,
  type TransportResponse,
  type TransportStream,
  type TransportUpgrade,
  upgrade,
} from "@kubewright/core/transport";
import type { RunLog } from "./run-log.js";

/** Forwards requests and counts them, the pending ones, and watch events. Records writes. */
export class CountingTransport implements Transport {
  readonly #inner: Transport;
  readonly #runs: RunLog;
  #requests = 0;
  #pending = 0;
  #events = 0;

  constructor(inner: Transport, runs: RunLog) {
    this.#inner = inner;
    this.#runs = runs;
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
    if (request.method !== "GET") this.#runs.recordWrite(request.method, request.path);
    return this.#counted(() => this.#inner.send(request));
  }

  async stream(request: TransportRequest): Promise<TransportStream> {
    const stream = await this.#counted(() => this.#inner.stream(request));
    return stream.kind === "answer" ? stream : { ...stream, items: this.#countedItems(stream.items) };
  }

  /** Pending until the server accepted it: the run that waits for its end is not settled. */
  connect(request: TransportUpgrade): Promise<TransportConnection> {
    this.#runs.recordWrite("POST", request.path);
    return this.#counted(() => upgrade(this.#inner, request));
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
