import type { Transport, TransportRequest, TransportResponse, TransportStream } from "@kubewright/core/transport";
import type { TracedResult, TracedWork, Tracing } from "./tracing.js";

/** Passes requests on, each in a span below the one that is active, with the headers that let the server continue the trace. */
export class TracedTransport implements Transport {
  readonly #inner: Transport;
  readonly #tracing: Tracing;

  constructor(inner: Transport, tracing: Tracing) {
    this.#inner = inner;
    this.#tracing = tracing;
  }

  send(request: TransportRequest): Promise<TransportResponse> {
    return this.#tracing.within(workOf(request), () => this.#inner.send(this.#continued(request)), resultOf);
  }

  /** The span ends when the server has accepted the watch: a watch has no end that says anything. */
  stream(request: TransportRequest): Promise<TransportStream> {
    const tell = (stream: TransportStream): TracedResult =>
      resultOf(stream.kind === "stream" ? stream : stream.response);
    return this.#tracing.within(workOf(request), () => this.#inner.stream(this.#continued(request)), tell);
  }

  close(): Promise<void> {
    return this.#inner.close();
  }

  #continued(request: TransportRequest): TransportRequest {
    return { ...request, headers: { ...request.headers, ...this.#tracing.headers() } };
  }
}

/** In the words of OpenTelemetry's conventions for HTTP clients. */
function workOf({ method, path }: TransportRequest): TracedWork {
  const template = templateOf(path);
  const attributes = { "http.request.method": method, "url.path": path, "url.template": template };
  return { name: `${method} ${template}`, kind: "client", attributes };
}

function resultOf({ status }: { readonly status: number }): TracedResult {
  const attributes = { "http.response.status_code": status };
  // That something is missing, or changed in between, is an answer; the run says whether it is a failure.
  return status >= 500 || status === 429 ? { attributes, error: `HTTP status ${status}` } : { attributes };
}

/** The path without names of objects: names of spans must be few. */
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
