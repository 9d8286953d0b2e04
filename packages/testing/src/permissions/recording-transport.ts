import {
  type Transport,
  type TransportConnection,
  type TransportRequest,
  type TransportResponse,
  type TransportStream,
  type TransportUpgrade,
  upgrade,
} from "@kubewright/core/transport";
import type { AnyKind } from "kubewright";
import type { PermissionLog } from "./permission-log.js";

/** Forwards requests and records the permissions that they need. */
export class RecordingTransport implements Transport {
  readonly #inner: Transport;
  readonly #log: PermissionLog;

  readonly #kinds: readonly AnyKind[];

  /** `kinds` are possible owners of written objects. */
  constructor(inner: Transport, log: PermissionLog, kinds: readonly AnyKind[]) {
    this.#inner = inner;
    this.#log = log;
    this.#kinds = kinds;
  }

  async send(request: TransportRequest): Promise<TransportResponse> {
    const response = await this.#inner.send(request);
    this.#log.add(request, response.status, this.#kinds);
    return response;
  }

  stream(request: TransportRequest): Promise<TransportStream> {
    this.#log.add(request, 200, this.#kinds);
    return this.#inner.stream(request);
  }

  async connect(request: TransportUpgrade): Promise<TransportConnection> {
    const { path } = request;
    // A WebSocket is a GET, and what it starts is authorized as a create.
    for (const method of ["GET", "POST"] as const) this.#log.add({ method, path }, 101, this.#kinds);
    return upgrade(this.#inner, request);
  }

  close(): Promise<void> {
    return this.#inner.close();
  }
}
