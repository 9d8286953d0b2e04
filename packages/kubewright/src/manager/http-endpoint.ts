import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { createServer as createSecureServer } from "node:https";
import { OperatorError } from "@kubewright/core/errors";
import type { ServingCertificate } from "./serving-certificate.js";

/** What a request has beside its URL. */
export interface EndpointRequest {
  readonly method: string;
  /** The header `Authorization`. */
  readonly authorization: string | undefined;
}

/** Handles one request; undefined for an unknown path. */
export type EndpointHandler = (url: URL, request: EndpointRequest) => Promise<EndpointAnswer> | undefined;

/** A small text response. */
export interface EndpointAnswer {
  readonly status: number;
  readonly body: string;
  readonly contentType?: string;
}

/** A listening HTTP server for health and metrics. */
export interface HttpEndpoint {
  readonly port: number;
  close(): Promise<void>;
}

/** The limits of controller-runtime's own servers. */
const limits = { maxHeaderSize: 1024 * 1024, headersTimeout: 32_000, keepAliveTimeout: 90_000, requestTimeout: 60_000 };

/**
 * Serves GET requests on an address like `:8081` or `127.0.0.1:8081`; port 0 takes a free one. Over HTTPS with a certificate: a newer one is
 * used for new connections.
 *
 * Rejects with CONFIG_INVALID when the address is malformed or not available. Closing ends open connections.
 */
export async function listenHttp(
  address: string,
  handler: EndpointHandler,
  certificate?: ServingCertificate,
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
    void answer(request, response, handler);
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

async function answer(request: IncomingMessage, response: ServerResponse, handler: EndpointHandler): Promise<void> {
  let result: EndpointAnswer;
  try {
    const isRead = request.method === "GET" || request.method === "HEAD";
    const found = isRead
      ? await handler(new URL(request.url ?? "/", "http://localhost"), {
          method: request.method ?? "GET",
          authorization: request.headers.authorization,
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
  });
  response.end(request.method === "HEAD" ? undefined : result.body);
}
