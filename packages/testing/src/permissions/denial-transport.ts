import {
  type Transport,
  type TransportConnection,
  type TransportRequest,
  type TransportResponse,
  type TransportStream,
  type TransportUpgrade,
  upgrade,
} from "@kubewright/core/transport";
import { type Denial, denialOf } from "./denial.js";

/** Forwards requests, and reports those that RBAC rejects. */
export class DenialTransport implements Transport {
  readonly #inner: Transport;
  readonly #onDenial: (denial: Denial) => void;

  constructor(inner: Transport, onDenial: (denial: Denial) => void) {
    this.#inner = inner;
    this.#onDenial = onDenial;
  }

  async send(request: TransportRequest): Promise<TransportResponse> {
    const response = await this.#inner.send(request);
    this.#check(request, response);
    return response;
  }

  async stream(request: TransportRequest): Promise<TransportStream> {
    const stream = await this.#inner.stream(request);
    if (stream.kind === "answer") this.#check(request, stream.response);
    return stream;
  }

  async connect(request: TransportUpgrade): Promise<TransportConnection> {
    const connection = await upgrade(this.#inner, request);
    if (connection.kind === "answer") this.#check({ method: "GET", path: request.path }, connection.response);
    return connection;
  }

  close(): Promise<void> {
    return this.#inner.close();
  }

  #check(request: TransportRequest, { status, body }: TransportResponse): void {
    const denial = status === 403 ? denialOf(request, body) : undefined;
    if (denial) this.#onDenial(denial);
  }
}
