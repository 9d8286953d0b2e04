import {
  type Transport,
  type TransportConnection,
  type TransportRequest,
  type TransportResponse,
  type TransportStream,
  type TransportUpgrade,
  upgrade,
} from "@kubewright/core/transport";

/** Requests between two turns of the event loop. */
const requestsPerTurn = 100;

/**
 * Forwards requests, and yields to the event loop now and then.
 *
 * An in-process response needs no I/O, so a loop of requests would run in microtasks: no timer could fire, not even a test's timeout.
 */
export class YieldingTransport implements Transport {
  readonly #inner: Transport;
  #requests = 0;

  constructor(inner: Transport) {
    this.#inner = inner;
  }

  send(request: TransportRequest): Promise<TransportResponse> {
    return this.#isDue() ? nextTurn().then(() => this.#inner.send(request)) : this.#inner.send(request);
  }

  stream(request: TransportRequest): Promise<TransportStream> {
    return this.#isDue() ? nextTurn().then(() => this.#inner.stream(request)) : this.#inner.stream(request);
  }

  connect(request: TransportUpgrade): Promise<TransportConnection> {
    return upgrade(this.#inner, request);
  }

  close(): Promise<void> {
    return this.#inner.close();
  }

  #isDue(): boolean {
    return ++this.#requests % requestsPerTurn === 0;
  }
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
