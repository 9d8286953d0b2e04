import { randomUUID } from "node:crypto";
import { once, setMaxListeners } from "node:events";
import {
  createSecureServer,
  type Http2SecureServer,
  type Http2ServerRequest,
  type Http2ServerResponse,
} from "node:http2";
import type { Socket } from "node:net";
import type { TLSSocket } from "node:tls";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { OperatorError } from "@kubewright/core/errors";
import type { Logger } from "@kubewright/core/log";
import { type AccessControl, anonymousUser, type User } from "../access/index.js";
import { ApiFailure, emptyBody } from "../registry/index.js";
import type { ApiAnswer } from "./api-request.js";
import { credentialsOf } from "./credentials.js";
import { EventLines } from "./event-lines.js";
import { isForPeople } from "./for-people.js";
import { asFailure, type Handler } from "./handler.js";
import { encodeAnswer } from "./json-encoding.js";
import { JsonTexts } from "./json-texts.js";
import { readBody, readBytes } from "./read-body.js";
import { parseTarget } from "./request-target.js";
import { isPublicPath } from "./server-info.js";
import { encodeYaml, isForYaml, yamlType } from "./yaml-encoding.js";

/** What a server over HTTPS is made of. */
export interface HttpsServerOptions {
  readonly handler: Handler;
  readonly logger: Logger;
  /** PEM. */
  readonly certificate: string;
  readonly privateKey: string;
  /** Signs the client certificates that are accepted. */
  readonly caCertificate: string;
  readonly access: AccessControl;
}

/** How often a watch over HTTPS that allows it gets a bookmark. */
const bookmarkEveryMs = 60_000;

/** A watch that names no time ends after this, or up to twice as long, so that clients do not all come back at once. */
const shortestWatchMs = 1_800_000;

/** How long a connection may be kept for nothing. */
const idleMs = 180_000;

/** Answers beyond this are packed for clients that ask for it. */
const gzipFromBytes = 128 * 1024;

/** The longest first line and headers of a request, as with a real server. */
const maxHeaderBytes = 1024 * 1024;

const plainText = "text/plain; charset=utf-8";

/** What is no request at all is answered by Go itself. */
const noTarget: ApiAnswer = {
  kind: "whole",
  status: 400,
  body: "400 Bad Request",
  contentType: plainText,
  isEarly: true,
};

const noBytes = Buffer.alloc(0);

/** Made once: the one that Node makes by itself for every request carries a stack. */
const clientGone = new OperatorError("STOPPED", "Cannot go on: the client is gone, or the server stops");
const pack = promisify(gzip);

/** Serves the handler over HTTP/2 and HTTP/1.1. */
export class HttpsServer {
  readonly #options: HttpsServerOptions;
  readonly #server: Http2SecureServer;
  readonly #sockets = new Set<Socket>();
  readonly #stop = new AbortController();
  readonly #texts = new JsonTexts();
  readonly #lines = new EventLines(this.#texts);
  #turn: Promise<void> | undefined;
  #active = 0;
  #whenQuiet: (() => void) | undefined;

  constructor(options: HttpsServerOptions) {
    this.#options = options;
    this.#server = createSecureServer(
      {
        allowHTTP1: true,
        key: options.privateKey,
        cert: options.certificate,
        ca: options.caCertificate,
        requestCert: true,
        rejectUnauthorized: false,
        handshakeTimeout: 10_000,
        // As a real server: 250 requests at once on one connection.
        settings: { maxConcurrentStreams: 250, maxHeaderListSize: maxHeaderBytes, initialWindowSize: 262_144 },
        maxSessionInvalidFrames: 100,
        maxSessionRejectedStreams: 100,
      },
      (request, response) => void this.#serve(request, response),
    );
    // Every open watch listens to it.
    setMaxListeners(0, this.#stop.signal);
    this.#limitTimes();
    this.#server.on("secureConnection", (socket: TLSSocket) => {
      this.#sockets.add(socket);
      socket.on("close", () => this.#sockets.delete(socket));
    });
    this.#server.on("sessionError", (error) => options.logger.debug({ err: error }, "HTTP/2 session failed"));
    this.#server.on("tlsClientError", (error) => options.logger.debug({ err: error }, "TLS handshake failed"));
  }

  /** Slow clients are cut off: those that take their time with headers or bodies, or keep a connection for nothing. */
  #limitTimes(): void {
    // Of the HTTP/1.1 side, whose settings the type of this server does not name.
    Object.assign(this.#server, {
      headersTimeout: 32_000,
      requestTimeout: 60_000,
      keepAliveTimeout: idleMs,
      maxHeadersCount: 500,
      maxHeaderSize: maxHeaderBytes,
    });
    this.#server.on("session", (session) => {
      let open = 0;
      session.on("stream", (stream) => {
        open++;
        stream.once("close", () => open--);
      });
      // Watches are long and quiet, and stay.
      session.setTimeout(idleMs, () => {
        if (open === 0) session.close();
      });
    });
  }

  /** Requests whose answer is being made. Watches do not count: the store knows whether they wait. */
  get active(): number {
    return this.#active;
  }

  /** Begins to listen; gives the port. */
  async listen(port: number, host: string): Promise<number> {
    this.#server.listen(port, host);
    try {
      await once(this.#server, "listening");
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      throw new OperatorError("CLUSTER_START_FAILED", `Cannot listen on "${host}:${port}": ${why}`, { cause: error });
    }
    const address = this.#server.address();
    if (typeof address !== "object" || address === null)
      throw new OperatorError("CLUSTER_START_FAILED", `Cannot listen on "${host}:${port}": no address`);
    return address.port;
  }

  /** Ends watches, waits for answers under way, closes connections. */
  async close(): Promise<void> {
    if (this.#stop.signal.aborted) return;
    this.#stop.abort();
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    if (this.#active > 0)
      await new Promise<void>((resolve) => {
        this.#whenQuiet = resolve;
      });
    // One turn for the last bytes, then what clients keep open is cut.
    await new Promise((resolve) => setImmediate(resolve));
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }

  async #serve(request: Http2ServerRequest, response: Http2ServerResponse): Promise<void> {
    const gone = new AbortController();
    const abort = (): void => gone.abort(clientGone);
    response.on("close", abort);
    response.on("error", abort);
    request.on("error", abort);
    this.#active++;
    let answer: ApiAnswer;
    try {
      answer = await this.#answer(request, gone);
      if (answer.kind === "whole") await this.#sendWhole(request, response, answer);
    } catch (error) {
      const { status } = asFailure(error);
      answer = { kind: "whole", status: status.code, body: status };
      // What is left of a body that was not read would be taken for the next request.
      if (!request.complete && request.httpVersionMajor < 2) response.setHeader("connection", "close");
      await this.#sendWhole(request, response, answer);
    } finally {
      this.#active--;
      if (this.#active === 0) this.#whenQuiet?.();
    }
    if (answer.kind === "watch") await this.#sendWatch(response, answer, gone.signal);
    if (answer.kind === "text") await this.#sendText(response, answer, gone.signal);
  }

  async #answer(request: Http2ServerRequest, gone: AbortController): Promise<ApiAnswer> {
    const target = parseTarget(request.url);
    if (target === undefined) return noTarget;
    const headers = plainHeaders(request);
    // In the compatibility layer the socket of an HTTP/2 stream is a proxy without the certificate.
    const socket = (request.stream?.session?.socket ?? request.socket) as TLSSocket;
    const user = this.#authenticate(headers["authorization"], socket, target.path);
    const { method } = request;
    const hasBody = method !== "GET" && method !== "HEAD";
    const bytes = hasBody ? await readBytes(request as AsyncIterable<Uint8Array>) : noBytes;
    return this.#options.handler.handle({
      user,
      method,
      ...target,
      headers,
      body: hasBody ? await readBody(bytes, headers["content-type"] ?? "", method === "PATCH") : emptyBody,
      signal: this.#signalOf(gone),
      bookmarkEveryMs,
      watchLengthMs: shortestWatchMs * (1 + Math.random()),
    });
  }

  #authenticate(authorization: string | undefined, socket: TLSSocket, path: string): User {
    const found = this.#options.access.authenticate(credentialsOf(authorization, socket));
    if (found.kind === "user") return found.user;
    if (found.kind === "none" && isPublicPath(path)) return anonymousUser;
    throw new ApiFailure(401, "Unauthorized", "Unauthorized");
  }

  /** Aborts when the client or this server goes. Made by hand: `AbortSignal.any` costs more than many a request. */
  #signalOf(gone: AbortController): AbortSignal {
    const stop = this.#stop.signal;
    const onStop = (): void => gone.abort(clientGone);
    if (stop.aborted) onStop();
    else {
      stop.addEventListener("abort", onStop, { once: true });
      gone.signal.addEventListener("abort", () => stop.removeEventListener("abort", onStop), { once: true });
    }
    return gone.signal;
  }

  /**
   * Resolves when what came in during this turn has been dealt with. Watchers wait for it, so that under load many events go out in one
   * write: with a hundred watchers, writing is most of the work.
   */
  #endOfTurn(): Promise<void> {
    this.#turn ??= new Promise((resolve) =>
      setImmediate(() => {
        this.#turn = undefined;
        resolve();
      }),
    );
    return this.#turn;
  }

  async #sendWhole(
    request: Http2ServerRequest,
    response: Http2ServerResponse,
    answer: ApiAnswer & { kind: "whole" },
  ): Promise<void> {
    if (response.headersSent || response.writableEnded) return;
    const isYaml = isForYaml(answer, String(request.headers["accept"] ?? ""));
    const shown = isForPeople(request) ? { ...answer, indented: true } : answer;
    const plain = isYaml ? await encodeYaml(answer, this.#texts) : encodeAnswer(shown, this.#texts);
    const accepted = request.headers["accept-encoding"] ?? "";
    const isPacked = plain.length > gzipFromBytes && takesGzip(String(accepted));
    // The level of a real server: little work, most of the gain.
    const bytes = isPacked ? await pack(plain, { level: 1 }) : plain;
    if (response.headersSent || response.writableEnded || response.destroyed) return;
    response.writeHead(answer.status, {
      ...headersOf(answer),
      ...(isYaml ? { "content-type": yamlType } : {}),
      ...(isPacked ? { "content-encoding": "gzip", vary: "Accept-Encoding" } : {}),
      ...(answer.status === 204 ? {} : { "content-length": bytes.length }),
    });
    response.end(request.method === "HEAD" ? noBytes : bytes);
  }

  /** One line per event. Waits for a slow reader: what it has not read stays in the store's history, not in memory here. */
  async #sendWatch(
    response: Http2ServerResponse,
    answer: ApiAnswer & { kind: "watch" },
    gone: AbortSignal,
  ): Promise<void> {
    const { events } = answer;
    response.writeHead(200, headersOf(answer));
    // Clients wait for the headers before they take the watch as begun.
    if ("flushHeaders" in response) (response as unknown as { flushHeaders(): void }).flushHeaders();
    try {
      for await (const first of events) {
        await this.#endOfTurn();
        if (gone.aborted) break;
        if (!response.write(this.#lines.encode(first, events))) await once(response, "drain", { signal: gone });
      }
    } catch (error) {
      if (!gone.aborted) this.#options.logger.warn({ err: error }, "Watch ended by an error");
    } finally {
      events.close();
    }
    if (!response.writableEnded && !response.destroyed) response.end();
  }

  /** Each piece of text as it comes. */
  async #sendText(
    response: Http2ServerResponse,
    answer: ApiAnswer & { kind: "text" },
    gone: AbortSignal,
  ): Promise<void> {
    response.writeHead(200, headersOf(answer));
    if ("flushHeaders" in response) (response as unknown as { flushHeaders(): void }).flushHeaders();
    try {
      for await (const chunk of answer.chunks) {
        if (gone.aborted) break;
        if (!response.write(chunk)) await once(response, "drain", { signal: gone });
      }
    } catch (error) {
      if (!gone.aborted) this.#options.logger.warn({ err: error }, "Text ended by an error");
    } finally {
      answer.chunks.close();
    }
    if (!response.writableEnded && !response.destroyed) response.end();
  }
}

function plainHeaders(request: Http2ServerRequest): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(request.headers))
    if (value !== undefined && !name.startsWith(":")) headers[name] = Array.isArray(value) ? value.join(", ") : value;
  return headers;
}

function headersOf(answer: ApiAnswer): Record<string, string | string[]> {
  // The bytes of the text, which headers can carry: characters beyond the first 256 they cannot.
  const warnings = (answer.warnings ?? []).map((text) =>
    Buffer.from(`299 - ${JSON.stringify(text)}`, "utf8").toString("latin1"),
  );
  return {
    "audit-id": randomUUID(),
    ...(answer.kind === "whole" && answer.isEarly === true ? {} : { "cache-control": "no-cache, private" }),
    ...(answer.contentType === "" ? {} : { "content-type": answer.contentType ?? "application/json" }),
    ...(answer.contentType === plainText ? { "x-content-type-options": "nosniff" } : {}),
    ...(warnings.length === 0 ? {} : { warning: warnings }),
    ...(answer.kind === "whole" ? answer.headers : {}),
  };
}

/** A real server looks for the word alone, and at no preference. */
function takesGzip(accepted: string): boolean {
  return accepted.split(",").some((one) => one.trim() === "gzip");
}
