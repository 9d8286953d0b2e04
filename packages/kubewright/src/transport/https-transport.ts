import { setMaxListeners } from "node:events";
import { type Clock, type RateLimit, sleep, TokenBucket } from "@kubewright/core/clock";
import { isOperatorError, OperatorError } from "@kubewright/core/errors";
import { stringifyJson } from "@kubewright/core/json";
import { type Logger, silentLogger } from "@kubewright/core/log";
import { type Duration, durationMs } from "@kubewright/core/meta";
import type {
  Transport,
  TransportConnection,
  TransportRequest,
  TransportResponse,
  TransportStream,
  TransportUpgrade,
} from "@kubewright/core/transport";
import type { Dispatcher } from "undici";
import { decodeEvent } from "../decode/index.js";
import { fetchBuffered, type RawResponse } from "./buffered-response.js";
import type { Connection } from "./connection.js";
import { decodeResponse, parseJsonBytes } from "./decode-response.js";
import { EventItems, type LineFormat } from "./event-items.js";
import { codeOf, explainFailure, tlsRejectedBy } from "./explain-failure.js";
import type { Impersonation } from "./impersonation.js";
import { JoinedSignal } from "./joined-signal.js";
import { RequestHeaders } from "./request-headers.js";
import { connectionLossDelayMs, requestedDelayMs } from "./retry.js";
import { type Session, Sessions } from "./sessions.js";
import { fetchStream } from "./streamed-response.js";

const events: LineFormat = { parse: parseJsonBytes, skipsBlank: true };
const leanEvents: LineFormat = { parse: decodeEvent, skipsBlank: true };
/** With the newline that ended it: the items of a text are chunks. */
const textLines: LineFormat = { parse: (line) => `${line.toString("utf8")}\n`, skipsBlank: false };

/** Options of {@link HttpsTransport}. */
export interface HttpsTransportOptions {
  /** Measures timeouts and pauses. */
  readonly clock: Clock;
  /** The client's name, or `name/version`; sent as `name/version (os/arch) kubewright/version`. @default "kubewright" */
  readonly userAgent?: string;
  /** The user to impersonate; overrides the connection's. */
  readonly impersonate?: Impersonation;
  /**
   * How long to wait for response headers, and for more data of a response that is not a watch. Slightly longer than kube-apiserver's own
   * request timeout of one minute, so that its error response arrives. `"0s"`: no limit. @default "70s"
   */
  readonly responseTimeout?: Duration;
  /** Total time for each attempt of a request that is not a watch, by `clock`. @default no limit */
  readonly requestTimeout?: Duration;
  /** How often a request is retried after a `Retry-After` response, and a GET after a lost connection. @default 10 */
  readonly maxRetries?: number;
  /** Client-side rate limit. @default no limit: kube-apiserver has API Priority and Fairness */
  readonly rateLimit?: RateLimit;
  /** Timeout of an exec plugin that runs without a terminal. @default "2m" */
  readonly execTimeout?: Duration;
  /** The environment of exec plugins. @default process.env */
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /** Whether exec plugins may prompt the user. @default whether standard input is a terminal */
  readonly stdinIsTerminal?: () => boolean;
  /** Returns a number from 0 to 1, for the jitter of retries. @default Math.random */
  readonly random?: () => number;
  /** @default nothing is logged */
  readonly logger?: Logger;
}

/**
 * Sends requests over HTTPS (or HTTP) to one API server.
 *
 * Opens, reads and runs nothing before the first request. Credentials and certificates are renewed when they expire or their files change. A
 * request that fails with 401 is retried once if a new credential is available. Responses 429 and 5xx with `Retry-After` are retried, and so is a
 * GET whose connection was lost. A write whose connection was lost is never retried, because the server may have processed it.
 *
 * Rejects with TRANSPORT_FAILED without a readable response, with CONFIG_INVALID if credentials are not available, and with the signal's reason.
 */
export class HttpsTransport implements Transport {
  /** The server's host and port. */
  readonly host: string;
  readonly #server: string;
  readonly #origin: string;
  readonly #basePath: string;
  readonly #clock: Clock;
  readonly #sessions: Sessions;
  readonly #headers: RequestHeaders;
  readonly #limit: TokenBucket | undefined;
  readonly #maxRetries: number;
  readonly #requestTimeoutMs: number | undefined;
  readonly #random: () => number;

  constructor(connection: Connection, options: HttpsTransportOptions) {
    const { clock, userAgent = "kubewright", maxRetries = 10, random = Math.random, rateLimit } = options;
    const { responseTimeout = "70s", requestTimeout, execTimeout = "2m", logger = silentLogger } = options;
    const { environment = process.env, stdinIsTerminal } = options;
    const { origin, pathname, host } = serverUrl(connection.server);
    this.host = host;
    this.#server = connection.server;
    this.#origin = origin;
    this.#basePath = pathname.replace(/\/+$/, "");
    this.#clock = clock;
    this.#maxRetries = maxRetries;
    this.#requestTimeoutMs = requestTimeout && durationMs("requestTimeout", requestTimeout);
    this.#random = random;
    this.#limit = rateLimit && new TokenBucket(clock, rateLimit);
    this.#headers = new RequestHeaders({
      userAgent,
      impersonate: options.impersonate ?? connection.impersonate,
      compression: connection.disableCompression !== true,
    });
    this.#sessions = new Sessions(connection, {
      clock,
      logger,
      responseTimeoutMs: durationMs("responseTimeout", responseTimeout),
      execTimeoutMs: durationMs("execTimeout", execTimeout),
      environment,
      stdinIsTerminal,
    });
  }

  async send(request: TransportRequest): Promise<TransportResponse> {
    const response = await this.#exchange(request, (session) => this.#fetch(session, request));
    try {
      return await decodeResponse(request, response);
    } catch (cause) {
      throw this.#failure(request, cause);
    }
  }

  async stream(request: TransportRequest): Promise<TransportStream> {
    const { status, headers, body } = await this.#exchange(
      request,
      (session) => fetchStream(session.watches, this.#dispatchOptions(session, request, false), request.signal),
      { discard: (unused) => unused.body.close() },
    );
    if (status === 200) {
      const format = request.isText ? textLines : request.withoutManagedFields === true ? leanEvents : events;
      const items = new EventItems(body, format, (cause) => this.#failure(request, cause));
      return { kind: "stream", status, headers, items };
    }
    try {
      const whole = { status, headers, body: await body.readAll() };
      return { kind: "answer", response: await decodeResponse(request, whole) };
    } catch (cause) {
      throw this.#failure(request, cause);
    }
  }

  async connect({ path, query, protocols, headers = {}, signal }: TransportUpgrade): Promise<TransportConnection> {
    const { openWebSocket } = await import("./web-socket.js");
    const request: TransportRequest = { method: "GET", path, headers, signal };
    const search = new URLSearchParams(query.map(([name, value]): [string, string] => [name, value])).toString();
    const { closing } = this.#sessions;
    const options = { protocols, signal, closing, describe: (cause: unknown) => this.#failure(request, cause) };
    const response = await this.#exchange(
      request,
      (session) => {
        const sent = this.#dispatchOptions(session, request, false);
        return openWebSocket(session.requests, { ...sent, path: `${sent.path}?${search}` }, options);
      },
      // The server may have started what the WebSocket is for.
      { isRepeatable: false },
    );
    if ("socket" in response) return { kind: "socket", socket: response.socket };
    try {
      return { kind: "answer", response: await decodeResponse(request, response) };
    } catch (cause) {
      throw this.#failure(request, cause);
    }
  }

  async close(): Promise<void> {
    await this.#sessions.close();
  }

  /** Retries until there is a response to return; `discard` closes a response that is not returned. */
  async #exchange<Response extends Omit<RawResponse, "body">>(
    request: TransportRequest,
    once: (session: Session) => Promise<Response>,
    {
      discard = () => {},
      isRepeatable = request.method === "GET",
    }: { readonly discard?: (unused: Response) => void; readonly isRepeatable?: boolean } = {},
  ): Promise<Response> {
    const { signal } = request;
    if (signal) allowManyListeners(signal);
    signal?.throwIfAborted();
    let mayRenew = request.headers?.["authorization"] === undefined;
    for (let retry = 0; ; retry++) {
      if (this.#limit) await this.#pause(this.#limit.take(signal), signal);
      const mayRetry = retry < this.#maxRetries;
      let pauseMs: number | undefined;
      let session = this.#sessions.current();
      if (session instanceof Promise) session = await unlessAborted(session, signal);
      try {
        const response = await once(session);
        if (response.status < 400) return response;
        if (response.status === 401 && mayRenew) {
          mayRenew = false;
          if (await unlessAborted(this.#sessions.renew(session), signal)) pauseMs = 0;
        }
        if (mayRetry) pauseMs ??= requestedDelayMs(response.status, response.headers, this.#random);
        if (pauseMs === undefined) return response;
        discard(response);
      } catch (cause) {
        if (signal?.aborted || isOperatorError(cause)) throw this.#failure(request, cause);
        const rejectedBy = tlsRejectedBy(cause);
        if (rejectedBy !== undefined && mayRenew) {
          mayRenew = false;
          const renewed =
            rejectedBy === "server" ? this.#sessions.renew(session) : this.#sessions.renewAuthority(session);
          if (await unlessAborted(renewed, signal)) pauseMs = 0;
        }
        // The session was replaced after it was selected and before it was used.
        const retired = codeOf(cause) === "UND_ERR_CLOSED" || codeOf(cause) === "UND_ERR_DESTROYED";
        if (retired && !this.#sessions.closing.aborted && mayRetry) pauseMs = 0;
        if (mayRetry && isRepeatable) pauseMs ??= connectionLossDelayMs(cause, retry, this.#random);
        if (pauseMs === undefined) throw this.#failure(request, cause);
      }
      if (pauseMs > 0) {
        using wake = new JoinedSignal(this.#sessions.closing, ...(signal === undefined ? [] : [signal]));
        await this.#pause(sleep(this.#clock, pauseMs, wake.signal), signal);
      }
    }
  }

  async #pause(slept: Promise<void>, signal: AbortSignal | undefined): Promise<void> {
    await slept;
    signal?.throwIfAborted();
    this.#sessions.closing.throwIfAborted();
  }

  #fetch(session: Session, request: TransportRequest): Promise<RawResponse> {
    const options = this.#dispatchOptions(session, request, this.#headers.compression);
    if (this.#requestTimeoutMs === undefined) return fetchBuffered(session.requests, options, request.signal);
    return this.#fetchInTime(session, options, request, this.#requestTimeoutMs);
  }

  async #fetchInTime(
    session: Session,
    options: Dispatcher.DispatchOptions,
    { signal }: TransportRequest,
    timeoutMs: number,
  ): Promise<RawResponse> {
    using limited = new JoinedSignal(...(signal === undefined ? [] : [signal]));
    const timer = this.#clock.startTimer(timeoutMs, () =>
      limited.abort(new Error(`the server did not respond within ${timeoutMs / 1_000} s`)),
    );
    try {
      return await fetchBuffered(session.requests, options, limited.signal);
    } finally {
      timer.cancel();
    }
  }

  #dispatchOptions({ credential }: Session, request: TransportRequest, compression: boolean): DispatchOptions {
    const { method, path, query, body } = request;
    const search = query === undefined ? "" : new URLSearchParams(query).toString();
    return {
      origin: this.#origin,
      path: search === "" ? this.#basePath + path : `${this.#basePath}${path}?${search}`,
      method,
      headers: this.#headers.of(request, credential, compression),
      body: body === undefined ? null : stringifyJson(body),
    };
  }

  #failure({ method, path, signal }: TransportRequest, cause: unknown): unknown {
    if (signal?.aborted) return signal.reason;
    // Credential errors are complete; a proxy's error lacks the request.
    if (isOperatorError(cause) && cause.code !== "TRANSPORT_FAILED") return cause;
    const why = this.#sessions.closing.aborted ? "the transport was closed" : explainFailure(cause);
    return new OperatorError("TRANSPORT_FAILED", `Cannot ${method} "${path}" at ${this.#server}: ${why}`, { cause });
  }
}

const signalsSeen = new WeakSet<AbortSignal>();

/** One signal often aborts many requests: a listener for each is not a leak, so Node's warning is disabled. */
function allowManyListeners(signal: AbortSignal): void {
  if (signalsSeen.has(signal)) return;
  signalsSeen.add(signal);
  setMaxListeners(0, signal);
}

type DispatchOptions = Dispatcher.DispatchOptions & {
  readonly method: TransportRequest["method"];
  /** Names and values in turn. */
  readonly headers: string[];
};

function serverUrl(server: string): URL {
  try {
    const url = new URL(server);
    if (url.protocol === "https:" || url.protocol === "http:") return url;
  } catch {
    // Reported below, like a URL of another scheme.
  }
  throw new OperatorError("CONFIG_INVALID", `Cannot connect to "${server}": it is not an http or https address`);
}

/** Resolves with the value, or rejects with the signal's reason as soon as it aborts. The work continues for its other callers. */
async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return work;
  // After an abort no caller awaits it: avoid an unhandled rejection.
  work.catch(() => {});
  let onAbort = (): void => {};
  const aborted = new Promise<never>((_, reject) => {
    onAbort = () => reject(signal.reason);
    signal.addEventListener("abort", onAbort, { once: true });
  });
  try {
    signal.throwIfAborted();
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
}
