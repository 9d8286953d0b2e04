import type { IncomingMessage, ServerResponse } from "node:http";
import type { Clock } from "@kubewright/core/clock";
import { type JsonObject, parseJson, stringifyJson } from "@kubewright/core/json";
import { parseDuration } from "@kubewright/core/meta";
import type { OperatorMetrics, WebhookMetrics } from "../metrics/index.js";
import type { OperatorTracing } from "../tracing/index.js";
import { responseReview } from "./admission-response.js";
import { failure } from "./deny.js";
import { conversionPath, type WebhookHandler } from "./webhook-handler.js";

/** Limits and observers of a {@link RequestListener}. */
export interface RequestListenerOptions {
  readonly clock: Clock;
  readonly maxBodyBytes?: number;
  readonly maxAdmissionBytes?: number;
  readonly maxRequestsInFlight?: number;
  readonly metrics?: OperatorMetrics;
  readonly tracing?: OperatorTracing;
}

/** The longest timeout of a webhook. */
const longestTimeoutMs = 30_000;

/** A response: a review, or why there is none. */
interface Answer {
  readonly status: number;
  readonly body: object;
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * Reads reviews from HTTP requests and writes the responses of a handler.
 *
 * At the path of an admission webhook, a body that is too large, empty, no JSON or of another content type is denied inside an AdmissionReview with
 * status 200, as controller-runtime does; at `/convert` it is an HTTP error.
 */
export class RequestListener {
  readonly #handler: WebhookHandler;
  readonly #clock: Clock;
  readonly #maxBytes: { readonly conversion: number; readonly admission: number };
  readonly #maxInFlight: number;
  readonly #tracing: OperatorTracing | undefined;
  readonly #paths: ReadonlySet<string>;
  readonly #metrics: ReadonlyMap<string, WebhookMetrics>;
  #inFlight = 0;
  #draining: (() => void) | undefined;

  constructor(handler: WebhookHandler, options: RequestListenerOptions) {
    const { clock, maxBodyBytes = 67_108_864, maxAdmissionBytes = 7_340_032, maxRequestsInFlight = 500 } = options;
    const { metrics, tracing } = options;
    this.#handler = handler;
    this.#clock = clock;
    this.#maxBytes = { conversion: maxBodyBytes, admission: maxAdmissionBytes };
    this.#maxInFlight = maxRequestsInFlight;
    this.#tracing = tracing;
    this.#paths = new Set(handler.paths);
    this.#metrics = new Map(metrics ? handler.paths.map((path) => [path, metrics.webhook(path)]) : []);
  }

  /** The request listener of a server. */
  readonly listen = (request: IncomingMessage, response: ServerResponse): void => {
    void this.#respond(request, response);
  };

  /** Resolves when no request is in flight; after `timeoutMs` in any case. Responses close their connection from now on. */
  async drain(timeoutMs: number): Promise<void> {
    if (this.#inFlight === 0) return;
    await new Promise<void>((resolve) => {
      const timer = this.#clock.startTimer(timeoutMs, resolve);
      this.#draining = () => {
        timer.cancel();
        resolve();
      };
    });
  }

  async #respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? "/", "https://localhost");
    const startedMs = this.#clock.monotonic();
    const metrics = this.#metrics.get(url.pathname);
    metrics?.requestStarted();
    this.#inFlight += 1;
    const disconnected = new AbortController();
    const onClose = (): void => {
      if (!response.writableEnded) disconnected.abort(new Error("the API server has disconnected"));
    };
    response.once("close", onClose);
    let answer: Answer;
    try {
      answer = await this.#traced(url, request, () => this.#answer(url, request, disconnected.signal));
    } catch (error) {
      answer = { status: 500, body: { message: messageOf(error) } };
    }
    this.#inFlight -= 1;
    metrics?.requestEnded(answer.status, (this.#clock.monotonic() - startedMs) / 1_000);
    // The unread rest of a rejected body must not be parsed as the next request.
    if (!request.complete || this.#draining !== undefined) response.setHeader("connection", "close");
    response.writeHead(answer.status, { "content-type": "application/json", ...answer.headers });
    response.end(stringifyJson(answer.body), () => {
      if (this.#inFlight === 0) this.#draining?.();
    });
  }

  #traced(url: URL, request: IncomingMessage, run: () => Promise<Answer>): Promise<Answer> {
    if (this.#tracing === undefined) return run();
    const attributes = { "http.request.method": request.method ?? "", "url.path": url.pathname };
    return this.#tracing.within(
      { name: `${request.method} ${url.pathname}`, kind: "server", attributes, headers: headersOf(request) },
      run,
      ({ status }) => ({
        attributes: { "http.response.status_code": status },
        ...(status >= 500 && { error: `HTTP status ${status}` }),
      }),
    );
  }

  async #answer(url: URL, request: IncomingMessage, signal: AbortSignal): Promise<Answer> {
    const path = url.pathname;
    if (!this.#paths.has(path)) return { status: 404, body: { message: "No webhook is served at this path" } };
    if (request.method !== "POST") return { status: 405, body: { message: "Method not allowed: use POST" } };
    if (this.#inFlight > this.#maxInFlight)
      return {
        status: 429,
        body: { message: `More than ${this.#maxInFlight} requests are in flight` },
        headers: { "retry-after": "1" },
      };
    const isConversion = path === conversionPath;
    const reject = isConversion ? httpError : deniedReview;
    const { "content-type": contentType = "" } = request.headers;
    if (!isConversion && contentType.split(";")[0]?.trim().toLowerCase() !== "application/json")
      return reject(400, `the content type is "${contentType}", not application/json`);
    const maxBytes = isConversion ? this.#maxBytes.conversion : this.#maxBytes.admission;
    const text = await bodyOf(request, maxBytes);
    if (text === undefined) return reject(413, `The request body is larger than ${maxBytes} bytes`);
    if (text === "") return reject(400, "The request body is empty");
    let review: ReturnType<typeof parseJson>;
    try {
      review = parseJson(text);
    } catch (error) {
      return reject(400, `The request body is not JSON: ${messageOf(error)}`);
    }
    const timeoutMs = timeoutOf(url);
    const result = await this.#handler.handle(path, review, { signal, ...(timeoutMs !== undefined && { timeoutMs }) });
    return result === undefined
      ? reject(400, "The request body is not a supported review")
      : { status: 200, body: result };
  }
}

function httpError(status: number, message: string): Answer {
  return { status, body: { message } };
}

function deniedReview(code: number, message: string): Answer {
  const reason = code === 413 ? "RequestEntityTooLarge" : "BadRequest";
  const body: JsonObject = responseReview({ denied: failure(code, reason, message) });
  return { status: 200, body };
}

/** The server's timeout: `?timeout=10s`. Undefined if there is none. */
function timeoutOf(url: URL): number | undefined {
  const timeout = url.searchParams.get("timeout");
  if (timeout === null) return undefined;
  try {
    const ms = parseDuration(timeout);
    return ms > 0 ? Math.min(ms, longestTimeoutMs) : undefined;
  } catch {
    return undefined;
  }
}

/** The request body as a string; undefined when it is too large. */
async function bodyOf(request: IncomingMessage, maxBytes: number): Promise<string | undefined> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of request as AsyncIterable<Buffer>) {
    bytes += part.length;
    if (bytes > maxBytes) return undefined;
    parts.push(part);
  }
  return Buffer.concat(parts).toString("utf8");
}

function headersOf({ headers }: IncomingMessage): Readonly<Record<string, string>> {
  const { traceparent, tracestate } = headers;
  return {
    ...(typeof traceparent === "string" && { traceparent }),
    ...(typeof tracestate === "string" && { tracestate }),
  };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
