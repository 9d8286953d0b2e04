import { randomUUID } from "node:crypto";
import { once } from "node:events";
import {
  createSecureServer,
  type Http2SecureServer,
  type Http2ServerRequest,
  type Http2ServerResponse,
} from "node:http2";
import type { Socket } from "node:net";
import type { TLSSocket } from "node:tls";
import { OperatorError } from "@kubewright/core/errors";
import type { JsonObject } from "@kubewright/core/json";
import type { Logger } from "@kubewright/core/log";
import type { ApiAnswer } from "./api-request.js";
import { isAdministrator, unauthorized } from "./authentication.js";
import { asFailure, type Handler } from "./handler.js";
import { parseBody, readBytes } from "./request-body.js";
import { isPublicPath } from "./server-info.js";

/** What a server over HTTPS is made of. */
export interface HttpsServerOptions {
  readonly handler: Handler;
  readonly logger: Logger;
  /** PEM. */
  readonly certificate: string;
  readonly privateKey: string;
  readonly caCertificate: string;
  readonly adminToken: string;
}

/** How often a watch over HTTPS that allows it gets a bookmark. */
const bookmarkEveryMs = 60_000;

/** Serves the handler over HTTP/2 and HTTP/1.1. */
export class HttpsServer {
  readonly #options: HttpsServerOptions;
  readonly #server: Http2SecureServer;
  readonly #sockets = new Set<Socket>();
  readonly #stop = new AbortController();
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
      },
      (request, response) => void this.#serve(request, response),
    );
    this.#server.on("secureConnection", (socket: TLSSocket) => {
      this.#sockets.add(socket);
      socket.on("close", () => this.#sockets.delete(socket));
    });
    this.#server.on("sessionError", (error) => options.logger.debug({ err: error }, "HTTP/2 session failed"));
    this.#server.on("tlsClientError", (error) => options.logger.debug({ err: error }, "TLS handshake failed"));
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
    response.on("close", () => gone.abort());
    response.on("error", () => gone.abort());
    request.on("error", () => gone.abort());
    this.#active++;
    let answer: ApiAnswer;
    try {
      answer = await this.#answer(request, AbortSignal.any([gone.signal, this.#stop.signal]));
      if (answer.kind === "whole") sendWhole(response, answer);
    } catch (error) {
      const { status } = asFailure(error);
      answer = { kind: "whole", status: status.code, body: status };
      sendWhole(response, answer);
    } finally {
      this.#active--;
      if (this.#active === 0) this.#whenQuiet?.();
    }
    if (answer.kind === "watch") await this.#sendWatch(response, answer, gone.signal);
  }

  async #answer(request: Http2ServerRequest, signal: AbortSignal): Promise<ApiAnswer> {
    const url = new URL(request.url, "https://localhost");
    const headers = plainHeaders(request);
    // In the compatibility layer the socket of an HTTP/2 stream is a proxy without the certificate.
    const socket = (request.stream?.session?.socket ?? request.socket) as TLSSocket;
    if (!isPublicPath(url.pathname) && !isAdministrator(headers["authorization"], socket, this.#options.adminToken))
      throw unauthorized();
    const bytes = await readBytes(request as AsyncIterable<Uint8Array>);
    const { method } = request;
    return this.#options.handler.handle({
      method,
      path: url.pathname,
      query: Object.fromEntries(url.searchParams),
      headers,
      ...(await parseBody(bytes, headers["content-type"] ?? "", method === "PATCH")),
      signal,
      bookmarkEveryMs,
    });
  }

  /** One line per event. Waits for a slow reader: what it has not read stays in the store's history, not in memory here. */
  async #sendWatch(
    response: Http2ServerResponse,
    answer: ApiAnswer & { kind: "watch" },
    gone: AbortSignal,
  ): Promise<void> {
    response.writeHead(200, headersOf(answer));
    // Clients wait for the headers before they take the watch as begun.
    if ("flushHeaders" in response) (response as unknown as { flushHeaders(): void }).flushHeaders();
    try {
      for await (const event of answer.events) {
        if (gone.aborted) break;
        if (!response.write(`${JSON.stringify(event)}\n`)) await once(response, "drain", { signal: gone });
      }
    } catch (error) {
      if (!gone.aborted) this.#options.logger.warn({ err: error }, "Watch ended by an error");
    } finally {
      answer.events.close();
    }
    if (!gone.aborted) response.end();
  }
}

function plainHeaders(request: Http2ServerRequest): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(request.headers))
    if (value !== undefined && !name.startsWith(":")) headers[name] = Array.isArray(value) ? value.join(", ") : value;
  return headers;
}

function headersOf(answer: ApiAnswer): Record<string, string | string[]> {
  const warnings = (answer.warnings ?? []).map((text) => `299 - ${JSON.stringify(text)}`);
  return {
    "audit-id": randomUUID(),
    "cache-control": "no-cache, private",
    "content-type": answer.contentType ?? "application/json",
    ...(warnings.length === 0 ? {} : { warning: warnings }),
    ...(answer.kind === "whole" ? answer.headers : {}),
  };
}

function sendWhole(response: Http2ServerResponse, answer: ApiAnswer & { kind: "whole" }): void {
  if (response.headersSent || response.writableEnded) return;
  const bytes = Buffer.isBuffer(answer.body) ? answer.body : Buffer.from(textOf(answer), "utf8");
  response.writeHead(answer.status, { ...headersOf(answer), "content-length": bytes.length });
  response.end(bytes);
}

function textOf(answer: ApiAnswer & { kind: "whole" }): string {
  if (answer.body === undefined) return "";
  if (typeof answer.body === "string") return answer.body;
  return `${JSON.stringify(answer.bareItems === true ? withBareItems(answer.body as JsonObject) : answer.body)}\n`;
}

function withBareItems(list: JsonObject): unknown {
  const items = Array.isArray(list["items"]) ? (list["items"] as readonly JsonObject[]) : [];
  return { ...list, items: items.map(({ apiVersion: _, kind: __, ...item }) => item) };
}
