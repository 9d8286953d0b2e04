import type { Clock } from "@kubewright/core/clock";
import {
  type Transport,
  type TransportConnection,
  type TransportRequest,
  type TransportResponse,
  type TransportStream,
  type TransportUpgrade,
  upgrade,
} from "@kubewright/core/transport";
import type { OperatorMetrics } from "./operator-metrics.js";

/** Options of {@link MeteredTransport}. */
export interface MeteredTransportOptions {
  readonly host: string;
  readonly clock: Clock;
}

/** Counts requests. */
export type RequestCounter = Pick<OperatorMetrics, "requestEnded">;

/** Forwards requests, counts them by method and code, and measures their latency. */
export class MeteredTransport implements Transport {
  readonly #inner: Transport;
  readonly #metrics: RequestCounter;
  readonly #host: string;
  readonly #clock: Clock;

  constructor(inner: Transport, metrics: RequestCounter, { host, clock }: MeteredTransportOptions) {
    this.#inner = inner;
    this.#clock = clock;
    this.#metrics = metrics;
    this.#host = host;
  }

  async send(request: TransportRequest): Promise<TransportResponse> {
    const startedMs = this.#clock.monotonic();
    const response = await this.#counted(request.method, () => this.#inner.send(request));
    const seconds = (this.#clock.monotonic() - startedMs) / 1_000;
    this.#metrics.requestEnded(request.method, this.#host, String(response.status), seconds);
    return response;
  }

  async stream(request: TransportRequest): Promise<TransportStream> {
    const stream = await this.#counted(request.method, () => this.#inner.stream(request));
    const { status } = stream.kind === "stream" ? stream : stream.response;
    this.#metrics.requestEnded(request.method, this.#host, String(status));
    return stream;
  }

  async connect(request: TransportUpgrade): Promise<TransportConnection> {
    const connection = await this.#counted("GET", () => upgrade(this.#inner, request));
    const status = connection.kind === "socket" ? 101 : connection.response.status;
    this.#metrics.requestEnded("GET", this.#host, String(status));
    return connection;
  }

  close(): Promise<void> {
    return this.#inner.close();
  }

  async #counted<T>(method: TransportRequest["method"], send: () => Promise<T>): Promise<T> {
    try {
      return await send();
    } catch (error) {
      this.#metrics.requestEnded(method, this.#host, "<error>");
      throw error;
    }
  }
}
