import { type Clock, systemClock } from "@kubewright/core/clock";
import { type ApiError, isApiError, isNotFound, isOperatorError, OperatorError } from "@kubewright/core/errors";
import { callSafely } from "@kubewright/core/log";
import { durationMs } from "@kubewright/core/meta";
import {
  type Transport,
  type TransportRequest,
  type TransportResponse,
  type TransportSocket,
  type TransportStream,
  type TransportUpgrade,
  upgrade,
} from "@kubewright/core/transport";
import { JoinedSignal, warningTexts } from "../transport/index.js";
import type { CallOptions, ClientOptions } from "./client-options.js";
import { type Intent, refused, unanswered } from "./request-failure.js";

/** A kubelet, to which the API server may pass an upgrade on, rejects it if it accepts JSON only. */
const upgradeHeaders = { accept: "*/*" } as const;

/** How many distinct warnings are remembered at most. */
const maxWarnings = 1_000;

/** Sends the requests of one client: with its headers and timeouts, and passes on the server's warnings. */
export class Requester {
  readonly #transport: Transport;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #completed = new WeakMap<object, Readonly<Record<string, string>>>();
  readonly #clock: Clock;
  readonly #onWarning: ((warning: string) => void) | undefined;
  readonly #warned: Set<string> | undefined;
  readonly #onNotServed: () => void;

  /** `onNotServed` is called when a whole resource is not served. */
  constructor(
    transport: Transport,
    { userAgent = "kubewright", onWarning, repeatWarnings = true, clock = systemClock }: ClientOptions,
    onNotServed: () => void,
  ) {
    this.#transport = transport;
    this.#onNotServed = onNotServed;
    this.#headers = { accept: "application/json", "user-agent": userAgent };
    this.#clock = clock;
    this.#onWarning = onWarning;
    this.#warned = repeatWarnings ? undefined : new Set();
  }

  /** The response, where it is a success; throws otherwise. */
  async send(request: TransportRequest, call: CallOptions, intent: Intent): Promise<TransportResponse> {
    const { signal } = call;
    signal?.throwIfAborted();
    let response: TransportResponse;
    // Each function in between that waits would cost every request several turns: here there is none.
    if (call.timeout === undefined) {
      try {
        response = await this.#transport.send(this.#complete(request, signal));
      } catch (error) {
        throw unanswered(error, signal, intent);
      }
    } else {
      response = await this.ask(request, call, intent);
    }
    if (response.status < 200 || response.status >= 300) throw this.#refused(response, intent);
    this.#warn(response.headers);
    return response;
  }

  /** The response, whatever its status; throws only when there is none. */
  async ask(request: TransportRequest, call: CallOptions, intent: Intent): Promise<TransportResponse> {
    call.signal?.throwIfAborted();
    const send = (signal: AbortSignal | undefined): Promise<TransportResponse> =>
      this.#transport.send(this.#complete(request, signal)).catch((error: unknown) => {
        throw unanswered(error, signal, intent);
      });
    return this.#withinTime(call, intent, send, "call");
  }

  /** The values of a stream, once the server accepted it. The signal of `call` ends it; the timeout is for the acceptance. */
  async stream(request: TransportRequest, call: CallOptions, intent: Intent): Promise<AsyncIterable<unknown>> {
    call.signal?.throwIfAborted();
    const open = (signal: AbortSignal | undefined): Promise<TransportStream> =>
      this.#transport.stream(this.#complete(request, signal)).catch((error: unknown) => {
        throw unanswered(error, signal, intent);
      });
    const stream = await this.#withinTime(call, intent, open, "stream");
    if (stream.kind === "answer") {
      // A text that is complete, such as the log of a container that has ended.
      const { status, body } = stream.response;
      if (request.isText !== true || status !== 200) throw this.#refused(stream.response, intent);
      return oneValue(body);
    }
    this.#warn(stream.headers);
    return stream.items;
  }

  /** Opens a WebSocket for `use`, and closes it afterwards. The timeout is for all of it. */
  async upgraded<T>(
    request: TransportUpgrade,
    call: CallOptions,
    intent: Intent,
    use: (socket: TransportSocket) => Promise<T>,
  ): Promise<T> {
    call.signal?.throwIfAborted();
    const run = async (signal: AbortSignal | undefined): Promise<T> => {
      try {
        const headers = this.#headersWith(request.headers ?? upgradeHeaders);
        const connection = await upgrade(this.#transport, { ...request, headers, signal });
        if (connection.kind === "answer") throw this.#notUpgraded(connection.response, intent);
        const { socket } = connection;
        try {
          return await use(socket);
        } finally {
          socket.close();
        }
      } catch (error) {
        if (isApiError(error) || (isOperatorError(error) && error.code === "EXEC_FAILED")) throw error;
        throw unanswered(error, signal, intent);
      }
    };
    return this.#withinTime(call, intent, run, "call");
  }

  #notUpgraded(response: TransportResponse, intent: Intent): Error {
    if (response.status >= 300) return this.#refused(response, intent);
    return new Error(`the server does not open a WebSocket (status ${response.status}); check for a proxy in between`);
  }

  #refused(response: TransportResponse, intent: Intent): ApiError {
    const error = refused(response, intent);
    // Nothing is named where it is not an object that is missing, but the whole resource.
    if (isNotFound(error) && (error.status.details?.name ?? "") === "") this.#onNotServed();
    return error;
  }

  /** Field by field, so that all requests look alike to those who read them. */
  #complete(request: TransportRequest, signal: AbortSignal | undefined): TransportRequest {
    const { method, path, query, body, withoutManagedFields = false, isText = false } = request;
    const headers = this.#headersWith(request.headers);
    return { method, path, query, headers, body, withoutManagedFields, isText, signal };
  }

  /** The client's requests have few different headers, each of them one object. */
  #headersWith(own: Readonly<Record<string, string>> | undefined): Readonly<Record<string, string>> {
    if (own === undefined) return this.#headers;
    let headers = this.#completed.get(own);
    if (headers === undefined) {
      headers = { ...this.#headers, ...own };
      this.#completed.set(own, headers);
    }
    return headers;
  }

  /** Aborts the signal of `run` after the timeout of the call. A stream keeps its signal after it was accepted. */
  async #withinTime<T>(
    { signal, timeout }: CallOptions,
    intent: Intent,
    run: (signal: AbortSignal | undefined) => Promise<T>,
    lifetime: "call" | "stream",
  ): Promise<T> {
    if (timeout === undefined) return run(signal);
    const timeoutMs = durationMs("timeout", timeout);
    if (!(timeoutMs > 0)) {
      throw new OperatorError("CONFIG_INVALID", `Cannot ${intent.verb} ${intent.object}: "timeout" must be above 0`);
    }
    const limited = new JoinedSignal(...(signal === undefined ? [] : [signal]));
    const timer = this.#clock.startTimer(timeoutMs, () => limited.abort(timeoutError(timeoutMs, intent)));
    try {
      return await run(limited.signal);
    } finally {
      timer.cancel();
      if (lifetime === "call") limited[Symbol.dispose]();
    }
  }

  #warn(headers: Readonly<Record<string, string>>): void {
    const header = headers["warning"];
    if (header === undefined || this.#onWarning === undefined) return;
    for (const text of warningTexts(header)) {
      if (this.#warned?.has(text)) continue;
      if (this.#warned !== undefined && this.#warned.size < maxWarnings) this.#warned.add(text);
      // The request has succeeded.
      callSafely(() => this.#onWarning?.(text));
    }
  }
}

async function* oneValue(value: unknown): AsyncIterable<unknown> {
  yield value;
}

function timeoutError(timeoutMs: number, { verb, object }: Intent): OperatorError {
  const cause = new DOMException(`The call took longer than ${timeoutMs} ms`, "TimeoutError");
  return new OperatorError("TRANSPORT_FAILED", `Cannot ${verb} ${object}: no response within ${timeoutMs} ms`, {
    cause,
  });
}
