import type { Transport, TransportRequest, TransportResponse, TransportStream } from "@kubewright/core/transport";
import type { OperatorMetrics } from "./operator-metrics.js";

/** Passes requests on, and counts them by method and code. */
export class MeteredTransport implements Transport {
  readonly #inner: Transport;
  readonly #metrics: OperatorMetrics;
  readonly #host: string;

  constructor(inner: Transport, metrics: OperatorMetrics, host: string) {
    this.#inner = inner;
    this.#metrics = metrics;
    this.#host = host;
  }

  async send(request: TransportRequest): Promise<TransportResponse> {
    const response = await this.#counted(request, () => this.#inner.send(request));
    this.#metrics.requestEnded(request.method, this.#host, String(response.status));
    return response;
  }

  async stream(request: TransportRequest): Promise<TransportStream> {
    const stream = await this.#counted(request, () => this.#inner.stream(request));
    const { status } = stream.kind === "stream" ? stream : stream.response;
    this.#metrics.requestEnded(request.method, this.#host, String(status));
    return stream;
  }

  close(): Promise<void> {
    return this.#inner.close();
  }

  async #counted<T>({ method }: TransportRequest, send: () => Promise<T>): Promise<T> {
    try {
      return await send();
    } catch (error) {
      this.#metrics.requestEnded(method, this.#host, "<error>");
      throw error;
    }
  }
}
