import { OperatorError } from "@kubewright/core/errors";
import { normaliseJson } from "@kubewright/core/json";
import type { Transport, TransportRequest, TransportResponse, TransportStream } from "@kubewright/core/transport";
import { administrator } from "../access/index.js";
import { emptyBody, type RequestBody } from "../registry/index.js";
import type { ApiAnswer, EventStream, TextStream } from "./api-request.js";
import { asFailure, type Handler } from "./handler.js";

/** Requests without bytes, as an administrator: bodies are copied once, answers are the stored values themselves. */
export class InProcessTransport implements Transport {
  readonly #handler: Handler;
  readonly #open = new Set<EventStream | TextStream>();
  #closed = false;

  constructor(handler: Handler) {
    this.#handler = handler;
  }

  async send(request: TransportRequest): Promise<TransportResponse> {
    const answer = await this.#ask(request);
    if (answer.kind === "whole") return toResponse(answer);
    (answer.kind === "watch" ? answer.events : answer.chunks).close();
    const what = answer.kind === "watch" ? "a watch" : "a log that is followed";
    throw new OperatorError(
      "TRANSPORT_FAILED",
      `Cannot send "${request.path}": ${what} has no whole answer, use stream`,
    );
  }

  async stream(request: TransportRequest): Promise<TransportStream> {
    const answer = await this.#ask(request);
    if (answer.kind === "whole") return { kind: "answer", response: toResponse(answer) };
    const events = answer.kind === "watch" ? answer.events : answer.chunks;
    for (const other of this.#open) if (other.closed) this.#open.delete(other);
    this.#open.add(events);
    // The events themselves: every promise in between would slow readers down against writers in the same process.
    return { kind: "stream", status: 200, headers: headersOf(answer), items: events };
  }

  close(): Promise<void> {
    this.#closed = true;
    for (const events of this.#open) events.close();
    this.#open.clear();
    return Promise.resolve();
  }

  #ask(request: TransportRequest): ApiAnswer | Promise<ApiAnswer> {
    if (this.#closed)
      throw new OperatorError("TRANSPORT_FAILED", `Cannot send "${request.path}": the cluster is closed`);
    request.signal?.throwIfAborted();
    try {
      return this.#handler.handle({
        user: administrator,
        method: request.method,
        path: request.path,
        query: request.query ?? {},
        headers: request.headers ?? {},
        body: bodyOf(request.body),
        signal: request.signal,
      });
    } catch (error) {
      // Only a body that JSON cannot carry comes here.
      const { status } = asFailure(error);
      return { kind: "whole", status: status.code, body: status };
    }
  }
}

/** A copy of the client's value; the value itself is only read again for messages. */
function bodyOf(value: unknown): RequestBody {
  if (value === undefined) return emptyBody;
  return { value: normaliseJson(value), text: () => JSON.stringify(value), duplicates: [] };
}

function toResponse(answer: ApiAnswer & { readonly kind: "whole" }): TransportResponse {
  const headers = answer.headers === undefined ? headersOf(answer) : { ...answer.headers, ...headersOf(answer) };
  return { status: answer.status, headers, body: answer.body };
}

/** What nearly all answers have. */
const plainHeaders: Readonly<Record<string, string>> = Object.freeze({ "content-type": "application/json" });

function headersOf(answer: ApiAnswer): Readonly<Record<string, string>> {
  const warnings = answer.warnings ?? [];
  if (warnings.length === 0 && answer.contentType === undefined) return plainHeaders;
  return {
    "content-type": answer.contentType ?? "application/json",
    ...(warnings.length === 0 ? {} : { warning: warnings.map((text) => `299 - ${JSON.stringify(text)}`).join(", ") }),
  };
}
