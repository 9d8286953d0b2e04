import { randomUUID } from "node:crypto";
import { once, setMaxListeners } from "node:events";
import { type IncomingMessage, ServerResponse } from "node:http";
import {
  createSecureServer,
  type Http2SecureServer,
  type Http2ServerRequest,
  type Http2ServerResponse,
} from "node:http2";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import type { TLSSocket } from "node:tls";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { OperatorError } from "@kubewright/core/errors";
import type { Logger } from "@kubewright/core/log";
import { type AccessControl, anonymousUser, type User } from "../access/index.js";
import { ApiFailure, emptyBody } from "../registry/index.js";
import type { ApiResponse, WholeResponse } from "./api-request.js";
import { ClientConnection } from "./client-connection.js";
import { type ConnectTarget, isStreamed, relay, type Upgrade } from "./connect/index.js";
import { credentialsOf } from "./credentials.js";
import { EventLines } from "./event-lines.js";
import { FairQueue, TooManyRequests } from "./fair-queue.js";
import { asFailure, type Handler } from "./handler.js";
import { JsonCache } from "./json-cache.js";
import { encodeResponse } from "./json-encoding.js";
import { OpenRequests } from "./open-requests.js";
import { isPretty } from "./pretty.js";
import { readBody, readBytes } from "./read-body.js";
import { parseTarget } from "./request-target.js";
import { encodeYaml, isForYaml, yamlType } from "./yaml-encoding.js";

/** Dependencies of an {@link HttpsServer}. */
export interface HttpsServerOptions {
  readonly handler: Handler;
  readonly logger: Logger;
  /** PEM. */
  readonly certificate: string;
  readonly privateKey: string;
  /** The CA of accepted client certificates. */
  readonly caCertificate: string;
  readonly access: AccessControl;
  /** @default those of `standardLimits` */
  readonly limits?: ConnectionLimits;
}

/** How much of the server slow and many clients may take. */
export interface ConnectionLimits {
  /**
   * Time for a request: its body arrives and its response is read within it. Watches, followed logs and forwarded requests have none. As
   * --request-timeout.
   */
  readonly requestMs: number;
  /** How often requests that take longer are looked for. */
  readonly sweepEveryMs: number;
  /** Open connections. A client over HTTP/2 needs one. */
  readonly connections: number;
}

const standardLimits: ConnectionLimits = { requestMs: 60_000, sweepEveryMs: 5_000, connections: 4_096 };

/** Interval of bookmarks for watches that allow them. */
const bookmarkEveryMs = 60_000;

/** Minimum timeout of a watch without `timeoutSeconds`, as kube-apiserver's --min-request-timeout. Randomized up to twice as long to spread reconnects. */
const shortestWatchMs = 1_800_000;

/** Idle timeout of a connection. */
const idleMs = 180_000;

/** Larger responses are compressed for clients that accept gzip. */
const gzipFromBytes = 128 * 1024;

/** Limit for the request line and headers, as in kube-apiserver. */
const maxHeaderBytes = 1024 * 1024;

const plainText = "text/plain; charset=utf-8";

/** The response of Go's HTTP server to a malformed request target. */
const noTarget: ApiResponse = {
  kind: "whole",
  status: 400,
  body: "400 Bad Request",
  contentType: plainText,
  isEarly: true,
};

/** kube-apiserver's response to a user with too many requests in flight. */
const tooMany: WholeResponse = {
  kind: "whole",
  status: 429,
  body: "Too many requests, please try again later.\n",
  contentType: plainText,
  headers: { "retry-after": "1" },
};

const noBytes = Buffer.alloc(0);

const gzipAsync = promisify(gzip);

/** An authenticated request. */
interface Arrived {
  readonly user: User;
  readonly target: NonNullable<ReturnType<typeof parseTarget>>;
  readonly headers: Readonly<Record<string, string>>;
  readonly socket: TLSSocket;
  readonly connection: ClientConnection;
}

function rejection(error: unknown): WholeResponse {
  if (error instanceof TooManyRequests) return tooMany;
  const { status } = asFailure(error);
  return { kind: "whole", status: status.code, body: status };
}

/** Serves the handler over HTTP/2 and HTTP/1.1. */
export class HttpsServer {
  readonly #options: HttpsServerOptions;
  readonly #server: Http2SecureServer;
  readonly #sockets = new Set<Socket>();
  readonly #stop = new AbortController();
  readonly #json = new JsonCache();
  readonly #lines = new EventLines(this.#json);
  readonly #queue = new FairQueue();
  readonly #open = new OpenRequests();
  readonly #sweep: NodeJS.Timeout;
  #turn: Promise<void> | undefined;
  #active = 0;
  #whenIdle: (() => void) | undefined;

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
        // As in kube-apiserver: 250 concurrent streams per connection.
        settings: { maxConcurrentStreams: 250, maxHeaderListSize: maxHeaderBytes, initialWindowSize: 262_144 },
        maxSessionInvalidFrames: 100,
        maxSessionRejectedStreams: 100,
      },
      (request, response) => void this.#serve(request, response),
    );
    // Every open watch adds a listener.
    setMaxListeners(0, this.#stop.signal);
    this.#limitTimes();
    const { requestMs, sweepEveryMs, connections } = options.limits ?? standardLimits;
    this.#server.maxConnections = connections;
    this.#sweep = setInterval(() => this.#dropSlow(requestMs), sweepEveryMs);
    this.#sweep.unref();
    this.#server.on("secureConnection", (socket: TLSSocket) => {
      this.#sockets.add(socket);
      socket.on("close", () => this.#sockets.delete(socket));
    });
    this.#server.on("upgrade", (request: IncomingMessage, socket: Duplex, head: Buffer) => {
      const response = new ServerResponse(request);
      response.assignSocket(socket as Socket);
      // Without an upgrade, this response is the last one of its connection.
      response.shouldKeepAlive = false;
      response.once("finish", () => socket.end());
      socket.on("error", () => socket.destroy());
      // HTTP/1.1, in the types of the HTTP/2 server, as for any other request.
      const served = [request, response] as unknown as [Http2ServerRequest, Http2ServerResponse];
      void this.#serve(...served, { socket, head });
    });
    this.#server.on("sessionError", (error) => options.logger.debug({ err: error }, "HTTP/2 session failed"));
    this.#server.on("tlsClientError", (error) => options.logger.debug({ err: error }, "TLS handshake failed"));
  }

  /** Sets timeouts for slow headers, slow bodies and idle connections. */
  #limitTimes(): void {
    // HTTP/1.1 settings that the type of Http2SecureServer lacks.
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
      // A connection with open streams stays: watches may be silent for long.
      session.setTimeout(idleMs, () => {
        if (open === 0) session.close();
      });
    });
  }

  /** Number of requests in flight. Watches do not count: the store knows whether they wait. */
  get active(): number {
    return this.#active;
  }

  /** Starts to listen and returns the port. */
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

  /** Closes watches, waits for requests in flight, and closes connections. */
  async close(): Promise<void> {
    if (this.#stop.signal.aborted) return;
    this.#stop.abort();
    clearInterval(this.#sweep);
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    if (this.#active > 0)
      await new Promise<void>((resolve) => {
        this.#whenIdle = resolve;
      });
    // Let pending writes flush for one turn of the event loop, then close the connections that clients keep open.
    await new Promise((resolve) => setImmediate(resolve));
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }

  /** Closes the connections of clients that send or read too slowly: the oldest are first. */
  #dropSlow(requestMs: number): void {
    const oldest = performance.now() - requestMs;
    for (let slow = this.#open.takeBefore(oldest); slow !== undefined; slow = this.#open.takeBefore(oldest))
      // Of HTTP/2 only the stream: the others of the connection may be well.
      (slow.response.stream ?? slow.response.socket)?.destroy();
  }

  async #serve(request: Http2ServerRequest, response: Http2ServerResponse, upgrade?: Upgrade): Promise<void> {
    const connection = new ClientConnection(this.#stop.signal);
    const open = this.#open.add(response);
    const end = (): void => {
      this.#open.remove(open);
      connection.end();
    };
    response.on("close", end);
    response.on("error", end);
    request.on("error", end);
    this.#active++;
    let result: ApiResponse;
    try {
      result = await this.#handle(request, connection);
      if (result.kind === "whole") await this.#sendWhole(request, response, result);
    } catch (error) {
      const rejected = rejection(error);
      result = rejected;
      // The unread rest of the body would be parsed as the next request.
      if (!request.complete && request.httpVersionMajor < 2) response.setHeader("connection", "close");
      await this.#sendWhole(request, response, rejected);
    } finally {
      this.#active--;
      if (this.#active === 0) this.#whenIdle?.();
    }
    if (result.kind !== "whole") this.#open.remove(open);
    if (result.kind === "watch") await this.#sendWatch(response, result, connection.signal);
    if (result.kind === "text") await this.#sendText(response, result, connection.signal);
    if (result.kind === "connect") {
      const client = { request, response, upgrade, signal: connection.signal };
      await this.#relay(result.target, client);
    }
  }

  /** Forwards a request. A target out of reach gets the client a Status. */
  async #relay(target: ConnectTarget, client: Parameters<typeof relay>[2]): Promise<void> {
    const { request, response } = client;
    try {
      await relay(this.#options.handler.forwarder, target, client);
    } catch (error) {
      await this.#sendWhole(request, response, rejection(error));
    }
  }

  async #handle(request: Http2ServerRequest, connection: ClientConnection): Promise<ApiResponse> {
    const target = parseTarget(request.url);
    if (target === undefined) return noTarget;
    const headers = plainHeaders(request);
    // In the compatibility layer the socket of an HTTP/2 stream is a proxy without the certificate.
    const socket = (request.stream?.session?.socket ?? request.socket) as TLSSocket;
    const user = this.#authenticate(headers["authorization"], socket);
    const leave = this.#queue.arrive(user.name);
    try {
      return await this.#handleInTurn(request, { user, target, headers, socket, connection });
    } finally {
      leave();
    }
  }

  async #handleInTurn(
    request: Http2ServerRequest,
    { user, target, headers, socket, connection }: Arrived,
  ): Promise<ApiResponse> {
    const repeatedHeaders = impersonationHeaders(request, headers);
    const { method } = request;
    const hasBody = method !== "GET" && method !== "HEAD" && !isStreamed(target.path);
    const bytes = hasBody ? await readBytes(request) : noBytes;
    const body = hasBody ? await readBody(bytes, headers["content-type"] ?? "", method === "PATCH") : emptyBody;
    const turn = this.#queue.turn(user.name);
    if (turn) await turn;
    const { path, search, query, dryRun } = target;
    return this.#options.handler.handle({
      user,
      method,
      path,
      search,
      query,
      dryRun,
      source: socket.remoteAddress,
      headers,
      ...(repeatedHeaders && { repeatedHeaders }),
      body,
      get signal() {
        return connection.signal;
      },
      bookmarkEveryMs,
      watchLengthMs: shortestWatchMs * (1 + Math.random()),
    });
  }

  /** A request without credentials is anonymous; the authorizer decides about it. */
  #authenticate(authorization: string | undefined, socket: TLSSocket): User {
    const found = this.#options.access.authenticate(credentialsOf(authorization, socket));
    if (found.kind === "user") return found.user;
    if (found.kind === "none") return anonymousUser;
    throw new ApiFailure(401, "Unauthorized", "Unauthorized");
  }

  /**
   * Resolves at the end of this turn of the event loop. Watches wait for it, to batch many events into one write: with a hundred watches,
   * writing is most of the work.
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

  async #sendWhole(request: Http2ServerRequest, response: Http2ServerResponse, result: WholeResponse): Promise<void> {
    if (response.headersSent || response.writableEnded) return;
    const isYaml = isForYaml(result, String(request.headers["accept"] ?? ""));
    const shown = isPretty(request) ? { ...result, indented: true } : result;
    const plain = isYaml ? await encodeYaml(result, this.#json) : encodeResponse(shown, this.#json);
    const accepted = request.headers["accept-encoding"] ?? "";
    const isGzipped = plain.length > gzipFromBytes && takesGzip(String(accepted));
    // The compression level of kube-apiserver.
    const bytes = isGzipped ? await gzipAsync(plain, { level: 1 }) : plain;
    if (response.headersSent || response.writableEnded || response.destroyed) return;
    response.writeHead(result.status, {
      ...headersOf(result),
      ...(isYaml ? { "content-type": yamlType } : {}),
      ...(isGzipped ? { "content-encoding": "gzip", vary: "Accept-Encoding" } : {}),
      ...(result.status === 204 ? {} : { "content-length": bytes.length }),
    });
    response.end(request.method === "HEAD" ? noBytes : bytes);
  }

  /** Writes one line per event, with backpressure: unread events stay in the store's history and are not buffered here. */
  async #sendWatch(
    response: Http2ServerResponse,
    result: ApiResponse & { kind: "watch" },
    gone: AbortSignal,
  ): Promise<void> {
    const { events } = result;
    response.writeHead(200, headersOf(result));
    // Clients treat the watch as started when they receive the headers.
    if ("flushHeaders" in response) (response as unknown as { flushHeaders(): void }).flushHeaders();
    try {
      for await (const first of events) {
        await this.#endOfTurn();
        if (gone.aborted) break;
        if (!response.write(this.#lines.encode(first, events))) await once(response, "drain", { signal: gone });
      }
    } catch (error) {
      if (!gone.aborted) this.#options.logger.warn({ err: error }, "Watch failed");
    } finally {
      events.close();
    }
    if (!response.writableEnded && !response.destroyed) response.end();
  }

  /** Writes each chunk as it arrives. */
  async #sendText(
    response: Http2ServerResponse,
    result: ApiResponse & { kind: "text" },
    gone: AbortSignal,
  ): Promise<void> {
    response.writeHead(200, headersOf(result));
    if ("flushHeaders" in response) (response as unknown as { flushHeaders(): void }).flushHeaders();
    try {
      for await (const chunk of result.chunks) {
        if (gone.aborted) break;
        if (!response.write(chunk)) await once(response, "drain", { signal: gone });
      }
    } catch (error) {
      if (!gone.aborted) this.#options.logger.warn({ err: error }, "Text stream failed");
    } finally {
      result.chunks.close();
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

/** The values of `Impersonate-*` headers, which may contain commas; undefined without any. */
function impersonationHeaders(
  { rawHeaders }: Http2ServerRequest,
  headers: Readonly<Record<string, string>>,
): ReadonlyMap<string, readonly string[]> | undefined {
  const prefix = "impersonate-";
  if (!Object.keys(headers).some((name) => name.startsWith(prefix))) return undefined;
  const values = new Map<string, string[]>();
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    const name = (rawHeaders[index] ?? "").toLowerCase();
    if (name.startsWith(prefix)) values.set(name, [...(values.get(name) ?? []), rawHeaders[index + 1] ?? ""]);
  }
  return values;
}

function headersOf(result: Exclude<ApiResponse, { kind: "connect" }>): Record<string, string | string[]> {
  // Headers can only hold latin1 characters, so UTF-8 is sent byte by byte.
  const warnings = (result.warnings ?? []).map((text) =>
    Buffer.from(`299 - ${JSON.stringify(text)}`, "utf8").toString("latin1"),
  );
  return {
    "audit-id": randomUUID(),
    ...(result.kind === "whole" && result.isEarly === true ? {} : { "cache-control": "no-cache, private" }),
    ...(result.contentType === "" ? {} : { "content-type": result.contentType ?? "application/json" }),
    ...(result.contentType === plainText ? { "x-content-type-options": "nosniff" } : {}),
    ...(warnings.length === 0 ? {} : { warning: warnings }),
    ...(result.kind === "whole" ? result.headers : {}),
  };
}

/** kube-apiserver only looks for the token `gzip` and ignores its quality value. */
function takesGzip(accepted: string): boolean {
  return accepted.split(",").some((one) => one.trim() === "gzip");
}
