import {
  type Transport,
  type TransportConnection,
  type TransportRequest,
  type TransportResponse,
  type TransportStream,
  type TransportUpgrade,
  upgrade,
} from "@kubewright/core/transport";
import type { TracedResult, TracedWork, Tracing } from "./tracing.js";

/** Forwards requests, each in a child span of the active span, with trace context headers for the server. */
export class TracedTransport implements Transport {
  readonly #inner: Transport;
  readonly #tracing: Tracing;

  constructor(inner: Transport, tracing: Tracing) {
    this.#inner = inner;
    this.#tracing = tracing;
  }

  send(request: TransportRequest): Promise<TransportResponse> {
    return this.#tracing.within(workOf(request), () => this.#inner.send(this.#withTraceContext(request)), resultOf);
  }

  /** The span ends when the server has accepted the watch, because the end of a watch is not meaningful. */
  stream(request: TransportRequest): Promise<TransportStream> {
    const describe = (stream: TransportStream): TracedResult =>
      resultOf(stream.kind === "stream" ? stream : stream.response);
    return this.#tracing.within(workOf(request), () => this.#inner.stream(this.#withTraceContext(request)), describe);
  }

  /** The span ends when the server has accepted the upgrade. */
  connect(request: TransportUpgrade): Promise<TransportConnection> {
    const describe = (connection: TransportConnection): TracedResult =>
      resultOf(connection.kind === "socket" ? { status: 101 } : connection.response);
    const work = workOf({ method: "GET", path: request.path });
    return this.#tracing.within(work, () => upgrade(this.#inner, this.#withTraceContext(request)), describe);
  }

  close(): Promise<void> {
    return this.#inner.close();
  }

  #withTraceContext<R extends TransportRequest | TransportUpgrade>(request: R): R {
    return { ...request, headers: { ...request.headers, ...this.#tracing.headers() } };
  }
}

/** Name and attributes follow OpenTelemetry's semantic conventions for HTTP clients. */
function workOf({ method, path }: Pick<TransportRequest, "method" | "path">): TracedWork {
  const template = templateOf(path);
  const attributes = { "http.request.method": method, "url.path": path, "url.template": template };
  return { name: `${method} ${template}`, kind: "client", attributes };
}

function resultOf({ status }: { readonly status: number }): TracedResult {
  const attributes = { "http.response.status_code": status };
  // 404 and 409 are normal responses; the reconcile's span reports whether it failed.
  return status >= 500 || status === 429 ? { attributes, error: `HTTP status ${status}` } : { attributes };
}

/** Returns the path without object names, to keep the cardinality of span names low. */
function templateOf(path: string): string {
  const match = /^((?:\/clusters\/[^/]+)?\/(?:api\/[^/]+|apis\/[^/]+\/[^/]+))(\/.*)?$/.exec(path);
  if (match === null) return path;
  const [, root = "", rest = ""] = match;
  const parts = rest.split("/").slice(1);
  const isNamespaced = parts[0] === "namespaces" && parts.length > 2;
  const at = isNamespaced ? 2 : 0;
  return [
    root,
    ...parts.map((part, index) => ((isNamespaced && index === 1) || index === at + 1 ? "{name}" : part)),
  ].join("/");
}
