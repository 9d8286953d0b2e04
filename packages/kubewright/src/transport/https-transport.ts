import { setMaxListeners } from "node:events";
import { type Clock, type RateLimit, sleep, TokenBucket } from "@kubewright/core/clock";
import { isOperatorError, OperatorError } from "@kubewright/core/errors";
import { stringifyJson } from "@kubewright/core/json";
import { type Logger, silentLogger } from "@kubewright/core/log";
import type { Transport, TransportRequest, TransportResponse, TransportStream } from "@kubewright/core/transport";
import type { Dispatcher } from "undici";
import { decodeEvent } from "../decode/index.js";
import type { Connection } from "./connection.js";
import { decodeAnswer, parseWhole } from "./decode-answer.js";
import { EventItems } from "./event-items.js";
import { codeOf, explainFailure, tlsRefusal } from "./explain-failure.js";
import type { Impersonation } from "./impersonation.js";
import { RequestHeaders } from "./request-headers.js";
import { pauseAfterLoss, pauseAsked } from "./retry.js";
import { type Session, Sessions } from "./sessions.js";
import { fetchStream } from "./streamed-answer.js";
import { fetchWhole, type RawAnswer } from "./whole-answer.js";

/** Settings of an HTTPS transport. */
export interface HttpsTransportOptions {
  readonly clock: Clock;
  /** The program's name, or `name/version`; sent as `name/version (os/arch) kubewright/version`. @default "kubewright" */
  readonly userAgent?: string;
  /** Whom to act as; wins over the connection's. */
  readonly impersonate?: Impersonation;
  /**
   * How long a server may be silent: before any answer, and within an answer that is no watch. A little more than the minute after
   * which API servers end a request themselves, so that their own words arrive. 0: for ever. @default 70_000
   */
  readonly responseTimeoutMs?: number;
  /** How long each attempt at a request that is no watch may take in all, by `clock`. @default no limit */
  readonly requestTimeoutMs?: number;
  /** How often a request is sent again when the server asks for it, or a GET lost its connection. @default 10 */
  readonly maxRetries?: number;
  /** Sends no more than this. @default no limit: API servers keep order among their clients themselves */
  readonly rateLimit?: RateLimit;
  /** How long an exec plugin may take that has no terminal. @default 120_000 */
  readonly execTimeoutMs?: number;
  /** The environment of exec plugins. @default process.env */
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /** Whether exec plugins may ask the person at the terminal. @default whether standard input is one */
  readonly stdinIsTerminal?: () => boolean;
  /** From 0 to 1, for spreading retries. @default Math.random */
  readonly random?: () => number;
  /** @default nothing is logged */
  readonly logger?: Logger;
}

/**
 * Requests over HTTPS (or HTTP) to one API server.
 *
 * Nothing is opened, read or run before the first request. Credentials and certificates are renewed when they expire or when their files
 * change; a request that the server refused with 401 is sent once more when there is a new credential by then. Answers 429 and 5xx with
 * `Retry-After` are retried, and a GET whose connection was lost; a write never is, because nobody knows whether it was carried out.
 *
 * Rejects with TRANSPORT_FAILED when there is no readable answer, with CONFIG_INVALID when credentials cannot be had, and with the
 * signal's reason.
 */
export class HttpsTransport implements Transport {
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
    const { responseTimeoutMs = 70_000, execTimeoutMs = 120_000, logger = silentLogger } = options;
    const { environment = process.env, stdinIsTerminal } = options;
    const { origin, pathname } = serverUrl(connection.server);
    this.#server = connection.server;
    this.#origin = origin;
    this.#basePath = pathname.replace(/\/+$/, "");
    this.#clock = clock;
    this.#maxRetries = maxRetries;
    this.#requestTimeoutMs = options.requestTimeoutMs;
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
      responseTimeoutMs,
      execTimeoutMs,
      environment,
      stdinIsTerminal,
    });
  }

  async send(request: TransportRequest): Promise<TransportResponse> {
    const answer = await this.#exchange(request, (session) => this.#fetch(session, request));
    try {
      return await decodeAnswer(request, answer);
    } catch (cause) {
      throw this.#failure(request, cause);
    }
  }

  async stream(request: TransportRequest): Promise<TransportStream> {
    const { status, headers, body } = await this.#exchange(
      request,
      (session) => fetchStream(session.watches, this.#dispatchOptions(session, request, false), request.signal),
      (unused) => unused.body.close(),
    );
    if (status === 200) {
      const parse = request.withoutManagedFields === true ? decodeEvent : parseWhole;
      const items = new EventItems(body, parse, (cause) => this.#failure(request, cause));
      return { kind: "stream", status, headers, items };
    }
    try {
      const whole = { status, headers, body: await body.whole() };
      return { kind: "answer", response: await decodeAnswer(request, whole) };
    } catch (cause) {
      throw this.#failure(request, cause);
    }
  }

  async close(): Promise<void> {
    await this.#sessions.close();
  }

  /** Sends until there is an answer to hand out; `discard` lets go of one that is not. */
  async #exchange<Answer extends Omit<RawAnswer, "body">>(
    request: TransportRequest,
    once: (session: Session) => Promise<Answer>,
    discard: (unused: Answer) => void = () => {},
  ): Promise<Answer> {
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
        const answer = await once(session);
        if (answer.status < 400) return answer;
        if (answer.status === 401 && mayRenew) {
          mayRenew = false;
          if (await unlessAborted(this.#sessions.renew(session), signal)) pauseMs = 0;
        }
        if (mayRetry) pauseMs ??= pauseAsked(answer.status, answer.headers, this.#random);
        if (pauseMs === undefined) return answer;
        discard(answer);
      } catch (cause) {
        if (signal?.aborted || isOperatorError(cause)) throw this.#failure(request, cause);
        const refusedBy = tlsRefusal(cause);
        if (refusedBy !== undefined && mayRenew) {
          mayRenew = false;
          const renewed =
            refusedBy === "server" ? this.#sessions.renew(session) : this.#sessions.renewAuthority(session);
          if (await unlessAborted(renewed, signal)) pauseMs = 0;
        }
        // The session was replaced between its choice and its use.
        const retired = codeOf(cause) === "UND_ERR_CLOSED" || codeOf(cause) === "UND_ERR_DESTROYED";
        if (retired && !this.#sessions.closing.aborted && mayRetry) pauseMs = 0;
        if (mayRetry) pauseMs ??= pauseAfterLoss(request, cause, retry, this.#random);
        if (pauseMs === undefined) throw this.#failure(request, cause);
      }
      if (pauseMs > 0) {
        const { closing } = this.#sessions;
        const wake = signal ? AbortSignal.any([signal, closing]) : closing;
        await this.#pause(sleep(this.#clock, pauseMs, wake), signal);
      }
    }
  }

  async #pause(slept: Promise<void>, signal: AbortSignal | undefined): Promise<void> {
    await slept;
    signal?.throwIfAborted();
    this.#sessions.closing.throwIfAborted();
  }

  #fetch(session: Session, request: TransportRequest): Promise<RawAnswer> {
    const options = this.#dispatchOptions(session, request, this.#headers.compression);
    if (this.#requestTimeoutMs === undefined) return fetchWhole(session.requests, options, request.signal);
    return this.#fetchInTime(session, options, request, this.#requestTimeoutMs);
  }

  async #fetchInTime(
    session: Session,
    options: Dispatcher.DispatchOptions,
    { signal }: TransportRequest,
    timeoutMs: number,
  ): Promise<RawAnswer> {
    const late = new AbortController();
    const timer = this.#clock.startTimer(timeoutMs, () =>
      late.abort(new Error(`there was no answer within ${timeoutMs / 1_000} s`)),
    );
    try {
      const both = signal ? AbortSignal.any([signal, late.signal]) : late.signal;
      return await fetchWhole(session.requests, options, both);
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
    // Credentials have their own words; those of a proxy say nothing yet about the request.
    if (isOperatorError(cause) && cause.code !== "TRANSPORT_FAILED") return cause;
    const why = this.#sessions.closing.aborted ? "the transport was closed" : explainFailure(cause);
    return new OperatorError("TRANSPORT_FAILED", `Cannot ${method} "${path}" at ${this.#server}: ${why}`, { cause });
  }
}

const signalsSeen = new WeakSet<AbortSignal>();

/** One signal often ends many requests at once: a listener for each is no leak, and Node need not warn of one. */
function allowManyListeners(signal: AbortSignal): void {
  if (signalsSeen.has(signal)) return;
  signalsSeen.add(signal);
  setMaxListeners(0, signal);
}

type DispatchOptions = Dispatcher.DispatchOptions & { readonly method: TransportRequest["method"] };

function serverUrl(server: string): URL {
  try {
    const url = new URL(server);
    if (url.protocol === "https:" || url.protocol === "http:") return url;
  } catch {
    // Reported below, like a URL of another scheme.
  }
  throw new OperatorError("CONFIG_INVALID", `Cannot connect to "${server}": it is not an http or https address`);
}

/** The value, or the signal's reason as soon as it aborts; the work itself goes on, for others who wait for it too. */
async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return work;
  // When nobody waits for it any more, its failure is nobody's.
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
