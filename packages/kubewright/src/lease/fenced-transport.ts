import {
  type Transport,
  type TransportConnection,
  type TransportRequest,
  type TransportResponse,
  type TransportStream,
  type TransportUpgrade,
  upgrade,
} from "@kubewright/core/transport";
import { JoinedSignal } from "../transport/index.js";
import type { Leadership } from "./leadership.js";

/**
 * Forwards requests while this process is the leader, and rejects them after the renew deadline, by the monotonic clock at the moment of sending.
 *
 * A request may wait inside the transport, for a connection or for a retry. Its signal checks the deadline whenever the transport reads `aborted`,
 * so neither a busy thread nor a stopped process sends it late. The last check is when the bytes are passed to the connection. From there through
 * TLS to the kernel takes about 0.1 ms; a process that is stopped exactly there sends late when it is continued. A request that the server has
 * received cannot be revoked: a Lease has no fencing token.
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
    return await this.#inner.send({ ...request, signal: this.#withDeadlineCheck(joined.signal) });
  }

  async stream(request: TransportRequest): Promise<TransportStream> {
    this.#leadership.assertLeading();
    // Not disposed: it must outlive this call, and the end of the stream is not visible here.
    const parts = request.signal ? [request.signal, this.#leadership.lost] : [this.#leadership.lost];
    return this.#inner.stream({ ...request, signal: this.#withDeadlineCheck(AbortSignal.any(parts)) });
  }

  /** The signal is read before each message too: no input is sent after the deadline. */
  async connect(request: TransportUpgrade): Promise<TransportConnection> {
    this.#leadership.assertLeading();
    const { lost } = this.#leadership;
    const joined = request.signal ? new JoinedSignal(request.signal, lost) : new JoinedSignal(lost);
    const release = (): void => joined[Symbol.dispose]();
    try {
      const connection = await upgrade(this.#inner, { ...request, signal: this.#withDeadlineCheck(joined.signal) });
      void (connection.kind === "socket" ? connection.socket.closed : Promise.resolve()).then(release);
      return connection;
    } catch (error) {
      release();
      throw error;
    }
  }

  close(): Promise<void> {
    return this.#inner.close();
  }

  /** The same signal, except that reading `aborted` first checks the deadline, because its timer may be late. */
  #withDeadlineCheck(signal: AbortSignal): AbortSignal {
    const isAborted = (): boolean => {
      this.#leadership.checkDeadline();
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
