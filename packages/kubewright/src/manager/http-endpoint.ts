import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { createServer as createSecureServer } from "node:https";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { OperatorError } from "@kubewright/core/errors";
import type { ServingCertificate } from "./serving-certificate.js";

/** What a request has beside its URL. */
export interface EndpointRequest {
  readonly method: string;
  /** The header `Authorization`. */
  readonly authorization: string | undefined;
  /** Aborts when the client has disconnected. */
  readonly signal: AbortSignal;
}

/** Handles one request; undefined for an unknown path. */
export type EndpointHandler = (url: URL, request: EndpointRequest) => Promise<EndpointAnswer> | undefined;

/** A response: a small text, or a stream. */
export interface EndpointAnswer {
  readonly status: number;
  readonly body: string | Readable;
  readonly contentType?: string;
  /** The name under which a browser saves it. */
  readonly fileName?: string;
}

/** A listening HTTP server for health and metrics. */
export interface HttpEndpoint {
  readonly port: number;
  close(): Promise<void>;
}

/** The limits of controller-runtime's own servers. */
const limits = { maxHeaderSize: 1024 * 1024, headersTimeout: 32_000, keepAliveTimeout: 90_000, requestTimeout: 60_000 };

/**
 * Serves GET requests, and PUT for the paths in `puts`, on an address like `:8081` or `127.0.0.1:8081`; port 0 takes a free one. Over HTTPS with a
 * certificate: a newer one is used for new connections.
 *
 * Rejects with CONFIG_INVALID when the address is malformed or not available. Closing ends open connections.
 */
export async function listenHttp(
  address: string,
  handler: EndpointHandler,
  {
    certificate,
    puts = [],
  }: { readonly certificate?: ServingCertificate | undefined; readonly puts?: readonly string[] } = {},
): Promise<HttpEndpoint> {
  const match = /^(.*):(\d+)$/.exec(address);
  const [, host = "", portText = ""] = match ?? [];
  if (!match || Number(portText) > 65_535) {
    throw new OperatorError(
      "CONFIG_INVALID",
      `Cannot listen on "${address}": it is not of the form ":8081" or "127.0.0.1:8081"`,
    );
  }
  const listener = (request: IncomingMessage, response: ServerResponse): void =>
    void answer(request, response, handler, puts);
  const server =
    certificate === undefined
      ? createServer(limits, listener)
      : createSecureServer({ ...limits, minVersion: "TLSv1.2", ...(await certificate.load()) }, listener);
  if (certificate !== undefined && "setSecureContext" in server) {
    server.on("connection", () =>
      certificate.renew((pair) => server.setSecureContext({ minVersion: "TLSv1.2", ...pair })),
    );
  }
  const port = await new Promise<number>((resolve, reject) => {
    server.once("error", (cause) => {
      reject(new OperatorError("CONFIG_INVALID", `Cannot listen on "${address}": ${cause.message}`, { cause }));
    });
    server.listen(Number(portText), host === "" ? undefined : host.replace(/^\[|\]$/g, ""), () => {
      const bound = server.address();
      resolve(typeof bound === "object" && bound !== null ? bound.port : Number(portText));
    });
  });
  return {
    port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  handler: EndpointHandler,
  puts: readonly string[],
): Promise<void> {
  let result: EndpointAnswer;
  const disconnected = new AbortController();
  response.once("close", () => disconnected.abort(new Error("the client has disconnected")));
  try {
    const url = new URL(request.url ?? "/", "http://localhost");
    const { method = "GET" } = request;
    const isAccepted = method === "GET" || method === "HEAD" || (method === "PUT" && puts.includes(url.pathname));
    const found = isAccepted
      ? await handler(url, {
          method,
          authorization: request.headers.authorization,
          signal: disconnected.signal,
        })
      : { status: 405, body: "405 method not allowed\n" };
    result = found ?? { status: 404, body: "404 page not found\n" };
  } catch (error) {
    result = {
      status: 500,
      body: `500 internal server error: ${error instanceof Error ? error.message : String(error)}\n`,
    };
  }
  response.writeHead(result.status, {
    "content-type": result.contentType ?? "text/plain; charset=utf-8",
    "x-content-type-options": "nosniff",
    ...(result.fileName !== undefined && { "content-disposition": `attachment; filename="${result.fileName}"` }),
  });
  const { body } = result;
  if (typeof body === "string") response.end(request.method === "HEAD" ? undefined : body);
  // A client that disconnects ends the stream: there is no one to report it to.
  else await pipeline(body, response).catch(() => {});
}
