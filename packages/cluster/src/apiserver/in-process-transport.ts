import { OperatorError } from "@kubewright/core/errors";
import { normaliseJson, stringifyJson } from "@kubewright/core/json";
import type {
  Transport,
  TransportConnection,
  TransportRequest,
  TransportResponse,
  TransportStream,
  TransportUpgrade,
} from "@kubewright/core/transport";
import type { User } from "../access/index.js";
import { emptyBody, type RequestBody } from "../registry/index.js";
import type { ApiResponse, EventStream, TextStream, WholeResponse } from "./api-request.js";
import { type ConnectTarget, readTarget } from "./connect/index.js";
import { asFailure, type Handler } from "./handler.js";

/** Who sends the requests of an {@link InProcessTransport}. */
export interface InProcessUser {
  /** The user of a request. Return the same value for the same user: decisions are cached by it. */
  userOf(request: TransportRequest): User;
  /** Skips authorization. @default false */
  readonly isTrusted?: boolean;
}

/** In-process requests as one user, without serialization: bodies are copied once, responses are the stored values themselves. */
export class InProcessTransport implements Transport {
  readonly #handler: Handler;
  readonly #user: InProcessUser;
  readonly #open = new Set<EventStream | TextStream>();
  #closed = false;

  constructor(handler: Handler, user: InProcessUser) {
    this.#handler = handler;
    this.#user = user;
  }

  send(request: TransportRequest): Promise<TransportResponse> {
    return this.#respond(request);
  }

  /** There are no WebSockets in process: the response is that to a request without the upgrade. */
  async connect({ path, query: parameters, headers = {}, signal }: TransportUpgrade): Promise<TransportConnection> {
    const search = new URLSearchParams(parameters.map(([name, value]): [string, string] => [name, value])).toString();
    const request = { method: "GET", path, query: Object.fromEntries(parameters), headers, signal } as const;
    return { kind: "answer", response: await this.#respond(request, search) };
  }

  async #respond(request: TransportRequest, search?: string): Promise<TransportResponse> {
    const response = await this.#ask(request, search);
    if (response.kind === "whole") return toResponse(response);
    if (response.kind === "connect") return toResponse(await this.#forward(response.target, request));
    (response.kind === "watch" ? response.events : response.chunks).close();
    const what = response.kind === "watch" ? "a watch" : "a followed log";
    throw new OperatorError(
      "TRANSPORT_FAILED",
      `Cannot send "${request.path}": the response to ${what} is a stream; use stream()`,
    );
  }

  async stream(request: TransportRequest): Promise<TransportStream> {
    const response = await this.#ask(request);
    if (response.kind === "whole") return { kind: "answer", response: toResponse(response) };
    if (response.kind === "connect")
      return { kind: "answer", response: toResponse(await this.#forward(response.target, request)) };
    const events = response.kind === "watch" ? response.events : response.chunks;
    for (const other of this.#open) if (other.closed) this.#open.delete(other);
    this.#open.add(events);
    // No wrapper: another promise per event would let readers fall behind writers in the same process.
    return { kind: "stream", status: 200, headers: headersOf(response), items: events };
  }

  close(): Promise<void> {
    this.#closed = true;
    for (const events of this.#open) events.close();
    this.#open.clear();
    return Promise.resolve();
  }

  async #forward(
    target: ConnectTarget,
    { method, headers = {}, body, signal }: TransportRequest,
  ): Promise<WholeResponse> {
    try {
      const text = body === undefined ? undefined : stringifyJson(body);
      return await readTarget(this.#handler.forwarder, target, { method, headers, body: text, signal });
    } catch (error) {
      signal?.throwIfAborted();
      const { status } = asFailure(error);
      return { kind: "whole", status: status.code, body: status };
    }
  }

  /** `search` is the query string of a request whose parameters may occur several times. */
  #ask(request: TransportRequest, search?: string): ApiResponse | Promise<ApiResponse> {
    if (this.#closed)
      throw new OperatorError("TRANSPORT_FAILED", `Cannot send "${request.path}": the cluster is closed`);
    request.signal?.throwIfAborted();
    try {
      return this.#handler.handle({
        user: this.#user.userOf(request),
        isTrusted: this.#user.isTrusted === true,
        method: request.method,
        path: request.path,
        query: request.query ?? {},
        ...(search !== undefined && { search }),
        headers: request.headers ?? {},
        body: bodyOf(request.body),
        signal: request.signal,
      });
    } catch (error) {
      // Only a body that is not valid JSON throws.
      const { status } = asFailure(error);
      return { kind: "whole", status: status.code, body: status };
    }
  }
}

/** Copies the client's value. `text` reads the original again, for error messages only. */
function bodyOf(value: unknown): RequestBody {
  if (value === undefined) return emptyBody;
  return { value: normaliseJson(value), text: () => stringifyJson(value), duplicates: [] };
}

function toResponse(response: WholeResponse): TransportResponse {
  const headers =
    response.headers === undefined ? headersOf(response) : { ...response.headers, ...headersOf(response) };
  return { status: response.status, headers, body: response.body };
}

/** The headers of nearly all responses. */
const plainHeaders: Readonly<Record<string, string>> = Object.freeze({ "content-type": "application/json" });

function headersOf(response: Exclude<ApiResponse, { kind: "connect" }>): Readonly<Record<string, string>> {
  const warnings = response.warnings ?? [];
  if (warnings.length === 0 && response.contentType === undefined) return plainHeaders;
  return {
    "content-type": response.contentType ?? "application/json",
    ...(warnings.length === 0 ? {} : { warning: warnings.map((text) => `299 - ${JSON.stringify(text)}`).join(", ") }),
  };
}
