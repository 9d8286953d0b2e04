import type { Transport, TransportRequest, TransportResponse, TransportStream } from "@kubewright/core/transport";
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

  close(): Promise<void> {
    return this.#inner.close();
  }
}
