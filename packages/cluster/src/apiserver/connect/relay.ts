import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import type { Http2ServerRequest, Http2ServerResponse } from "node:http2";
import type { Duplex } from "node:stream";
import { pipeline } from "node:stream/promises";
import { ApiFailure, badRequest } from "../../registry/index.js";
import type { ConnectTarget } from "./connect-target.js";
import type { ForwardedResponse, Forwarder } from "./forwarder.js";
import { redirectToRoot } from "./resolve-target.js";

/** A request that asks to switch the protocol, and the connection that it came on. */
export interface Upgrade {
  readonly socket: Duplex;
  /** Bytes of the new protocol that came with the request. */
  readonly head: Buffer;
}

/** The client's side of a forwarded request. */
export interface RelayedRequest {
  readonly request: Http2ServerRequest;
  readonly response: Http2ServerResponse;
  /** Undefined if the client does not ask to switch the protocol. */
  readonly upgrade: Upgrade | undefined;
  /** Aborted when the client has gone. */
  readonly signal: AbortSignal;
}

/** Headers of one connection, which are not forwarded. */
const hopByHop = new Set([
  "connection",
  "keep-alive",
  "proxy-authenticate",
  "proxy-authorization",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
  "http2-settings",
]);

/**
 * Forwards a request, and the response or the switched connection back to the client. Resolves when both sides are done.
 *
 * Rejects with an {@link ApiFailure} while the client can still get a Status: no upgrade where one is required, or a target out of reach.
 */
export async function relay(forwarder: Forwarder, target: ConnectTarget, client: RelayedRequest): Promise<void> {
  const { request, response, upgrade, signal } = client;
  if (target.isUpgrade && upgrade === undefined) throw badRequest("Upgrade request required");
  const root = upgrade === undefined ? redirectToRoot(request.method, request.url) : undefined;
  if (root !== undefined) {
    response.writeHead(301, { location: root });
    response.end();
    return;
  }
  const hasBody = upgrade === undefined && request.method !== "GET" && request.method !== "HEAD";
  const headers = forwardedHeaders(request, upgrade !== undefined);
  const body = hasBody ? request : undefined;
  let answer: ForwardedResponse;
  try {
    answer = await forwarder.send(target, { method: request.method, headers, body, signal });
  } catch (error) {
    throw outOfReach(error, upgrade !== undefined);
  }
  const { message, upgraded } = answer;
  if (upgrade !== undefined && upgraded !== undefined) {
    switchProtocol(client, upgrade, message);
    await joined(upgrade, upgraded);
    return;
  }
  const { statusCode: status = 502 } = message;
  if (upgrade !== undefined && status < 400) {
    message.destroy();
    throw new ApiFailure(500, "", `invalid upgrade response: status code ${status}`);
  }
  response.writeHead(status, withoutHops(message.headers));
  await pipeline(message, response).catch(() => response.destroy());
}

function outOfReach(error: unknown, isUpgrade: boolean): ApiFailure {
  const why = error instanceof Error ? error.message : String(error);
  return isUpgrade
    ? new ApiFailure(500, "", `error dialing backend: ${why}`)
    : new ApiFailure(503, "ServiceUnavailable", `error trying to reach service: ${why}`);
}

/** The headers of the client, without its credentials: the target gets those of the API server. */
function forwardedHeaders(request: Http2ServerRequest, isUpgrade: boolean): Record<string, string | readonly string[]> {
  const { headers, socket } = request;
  const forwarded: Record<string, string | readonly string[]> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value === undefined || name.startsWith(":") || name === "authorization" || name.startsWith("impersonate-"))
      continue;
    if (hopByHop.has(name) && !(isUpgrade && (name === "connection" || name === "upgrade"))) continue;
    forwarded[name] = value;
  }
  const host = headers[":authority"];
  if (host !== undefined) forwarded["host"] = host;
  const before = headers["x-forwarded-for"];
  const address = socket.remoteAddress ?? "";
  forwarded["x-forwarded-for"] = before === undefined ? address : `${String(before)}, ${address}`;
  return forwarded;
}

function withoutHops(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !hopByHop.has(name)));
}

/** Sends the head of the target's response as it is: its headers belong to the new protocol. */
function switchProtocol({ response }: RelayedRequest, { socket }: Upgrade, message: IncomingMessage): void {
  (response as unknown as ServerResponse).detachSocket(socket as never);
  const lines = [`HTTP/1.1 ${message.statusCode} ${message.statusMessage}`];
  for (let index = 0; index + 1 < message.rawHeaders.length; index += 2)
    lines.push(`${message.rawHeaders[index]}: ${message.rawHeaders[index + 1]}`);
  socket.write(`${lines.join("\r\n")}\r\n\r\n`);
}

/** Copies both ways until one side closes, which closes the other when it has got everything. */
function joined(client: Upgrade, target: Upgrade): Promise<void> {
  client.socket.write(target.head);
  target.socket.write(client.head);
  client.socket.pipe(target.socket);
  target.socket.pipe(client.socket);
  const closed = (one: Duplex, other: Duplex): Promise<void> =>
    new Promise((resolve) => {
      // A connection that breaks is the end of the session, no failure of the server.
      one.on("error", () => one.destroy());
      one.once("close", () => {
        other.end(() => other.destroy());
        resolve();
      });
    });
  return Promise.all([closed(client.socket, target.socket), closed(target.socket, client.socket)]).then(() => {});
}
