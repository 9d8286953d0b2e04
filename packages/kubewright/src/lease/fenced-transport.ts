import type { Transport, TransportRequest, TransportResponse, TransportStream } from "@kubewright/core/transport";
import type { Leadership } from "./leadership.js";

/**
 * Passes requests on while this process leads, and refuses them after the renew deadline, by the monotonic clock, at the moment of
 * sending.
 *
 * Requests that wait inside the transport (for a connection, for a retry) are aborted when the lease is lost. One that the server has
 * received cannot be taken back: a lease does not fence.
 */
export class FencedTransport implements Transport {
  readonly #inner: Transport;
  readonly #leadership: Leadership;

  constructor(inner: Transport, leadership: Leadership) {
    this.#inner = inner;
    this.#leadership = leadership;
  }

  async send(request: TransportRequest): Promise<TransportResponse> {
    return this.#inner.send(this.#fenced(request));
  }

  async stream(request: TransportRequest): Promise<TransportStream> {
    return this.#inner.stream(this.#fenced(request));
  }

  close(): Promise<void> {
    return this.#inner.close();
  }

  #fenced(request: TransportRequest): TransportRequest {
    this.#leadership.assertLeading();
    const { lost } = this.#leadership;
    return { ...request, signal: request.signal ? AbortSignal.any([request.signal, lost]) : lost };
  }
}
