import type { Transport, TransportRequest, TransportResponse, TransportStream } from "@kubewright/core/transport";
import { JoinedSignal } from "./joined-signal.js";
import type { Leadership } from "./leadership.js";

/**
 * Passes requests on while this process leads, and refuses them after the renew deadline, by the monotonic clock, at the moment of
 * sending.
 *
 * A request may wait inside the transport, for a connection or for another attempt. Its signal looks at the clock whenever the transport
 * asks it whether to go on, so that neither a busy thread nor a stopped process lets it out late. The last look is when the bytes are
 * given to the connection. From there to the kernel, through TLS, takes about a tenth of a millisecond; a process that is stopped right
 * there sends when it is continued, however late that is. And a request that the server has received cannot be taken back: a lease does
 * not fence.
 */
export class FencedTransport implements Transport {
  readonly #inner: Transport;
  readonly #leadership: Leadership;

  constructor(inner: Transport, leadership: Leadership) {
    this.#inner = inner;
    this.#leadership = leadership;
  }

  async send(request: TransportRequest): Promise<TransportResponse> {
    const { lost } = this.#leadership;
    this.#leadership.assertLeading();
    using joined = request.signal ? new JoinedSignal(request.signal, lost) : new JoinedSignal(lost);
    return await this.#inner.send({ ...request, signal: this.#watchful(joined.signal) });
  }

  async stream(request: TransportRequest): Promise<TransportStream> {
    this.#leadership.assertLeading();
    // It lives as long as the stream, whose end is not seen here.
    const parts = request.signal ? [request.signal, this.#leadership.lost] : [this.#leadership.lost];
    return this.#inner.stream({ ...request, signal: this.#watchful(AbortSignal.any(parts)) });
  }

  close(): Promise<void> {
    return this.#inner.close();
  }

  /** The same signal; asking it makes a loss known that no timer has told of yet. */
  #watchful(signal: AbortSignal): AbortSignal {
    const isAborted = (): boolean => {
      this.#leadership.notice();
      return Reflect.get(AbortSignal.prototype, "aborted", signal) === true;
    };
    return Object.defineProperties(signal, {
      aborted: { get: isAborted },
      throwIfAborted: {
        value: () => {
          if (isAborted()) throw signal.reason;
        },
      },
    });
  }
}
