import { readFile } from "node:fs/promises";
import type { Clock } from "@kubewright/core/clock";
import { OperatorError } from "@kubewright/core/errors";
import type { Transport, TransportRequest, TransportResponse, TransportStream } from "@kubewright/core/transport";
import type { Agent, Dispatcher } from "undici";
import type { Connection } from "./connection.js";
import { jsonLines } from "./json-lines.js";

/** An answer larger than this is refused: no page of a list comes near it. */
const maxResponseBytes = 512 * 1024 * 1024;
/** How long a token that was read from a file is used; rotated tokens overlap by far more. */
const tokenFileMs = 60_000;

interface Agents {
  readonly requests: Agent;
  readonly watches: Agent;
}

/** Settings of an HTTPS transport. */
export interface HttpsTransportOptions {
  readonly clock: Clock;
  /** Sent with each request. @default "kubewright" */
  readonly userAgent?: string;
}

/**
 * Requests over HTTPS (or HTTP) to one API server.
 *
 * Watches have connections of their own, so that they never take those of ordinary requests. Nothing is opened before the first
 * request, and undici is loaded with it.
 */
export class HttpsTransport implements Transport {
  readonly #connection: Connection;
  readonly #clock: Clock;
  readonly #userAgent: string;
  #agents: Promise<Agents> | undefined;
  #token: { readonly text: string; readonly untilMs: number } | undefined;

  constructor(connection: Connection, { clock, userAgent = "kubewright" }: HttpsTransportOptions) {
    this.#connection = connection;
    this.#clock = clock;
    this.#userAgent = userAgent;
  }

  async send(request: TransportRequest): Promise<TransportResponse> {
    const { requests } = await this.#open();
    const response = await this.#dispatch(requests, request);
    return this.#wholeAnswer(request, response);
  }

  async stream(request: TransportRequest): Promise<TransportStream> {
    const { watches } = await this.#open();
    const response = await this.#dispatch(watches, request);
    if (response.statusCode !== 200) return { kind: "answer", response: await this.#wholeAnswer(request, response) };
    return { kind: "stream", status: 200, headers: flatHeaders(response), items: this.#items(request, response) };
  }

  async close(): Promise<void> {
    const agents = await this.#agents;
    this.#agents = undefined;
    await Promise.all([agents?.requests.destroy(), agents?.watches.destroy()]);
  }

  #open(): Promise<Agents> {
    this.#agents ??= import("undici").then(({ Agent: UndiciAgent }) => {
      const { caCertificate, insecureSkipTlsVerify = false, tlsServerName, credentials } = this.#connection;
      const connect = {
        rejectUnauthorized: !insecureSkipTlsVerify,
        ...(caCertificate !== undefined && { ca: caCertificate }),
        ...(tlsServerName !== undefined && { servername: tlsServerName }),
        ...(credentials.kind === "certificate" && { cert: credentials.certificate, key: credentials.key }),
      };
      return {
        requests: new UndiciAgent({ connect, connections: 64, maxResponseSize: maxResponseBytes }),
        // A watch is silent between events for as long as its own timeout: who watches decides when silence is too long.
        watches: new UndiciAgent({ connect, bodyTimeout: 0, pipelining: 0 }),
      };
    });
    return this.#agents;
  }

  async #dispatch(agent: Agent, request: TransportRequest): Promise<Dispatcher.ResponseData> {
    const { method, path, query = {}, body, signal } = request;
    signal?.throwIfAborted();
    const search = new URLSearchParams(query).toString();
    const headers = {
      accept: "application/json",
      "user-agent": this.#userAgent,
      ...request.headers,
      ...(await this.#authorization()),
    };
    try {
      return await agent.request({
        origin: new URL(this.#connection.server).origin,
        path: `${new URL(this.#connection.server).pathname.replace(/\/$/, "")}${path}${search === "" ? "" : `?${search}`}`,
        method,
        headers:
          body === undefined || "content-type" in headers
            ? headers
            : { ...headers, "content-type": "application/json" },
        body: body === undefined ? null : JSON.stringify(body),
        ...(signal && { signal }),
      });
    } catch (cause) {
      throw this.#failure(request, cause);
    }
  }

  async #authorization(): Promise<Record<string, string>> {
    const { credentials } = this.#connection;
    switch (credentials.kind) {
      case "token":
        return { authorization: `Bearer ${credentials.token}` };
      case "tokenFile":
        return { authorization: `Bearer ${await this.#tokenFrom(credentials.path)}` };
      case "basic":
        return {
          authorization: `Basic ${Buffer.from(`${credentials.username}:${credentials.password}`).toString("base64")}`,
        };
      case "none":
      case "certificate":
        return {};
      default:
        return credentials satisfies never;
    }
  }

  async #tokenFrom(path: string): Promise<string> {
    const nowMs = this.#clock.monotonic();
    if (this.#token === undefined || nowMs >= this.#token.untilMs) {
      try {
        this.#token = { text: (await readFile(path, "utf8")).trim(), untilMs: nowMs + tokenFileMs };
      } catch (cause) {
        throw new OperatorError("CONFIG_INVALID", `Cannot read the token file "${path}": ${(cause as Error).message}`, {
          cause,
        });
      }
    }
    return this.#token.text;
  }

  async #wholeAnswer(request: TransportRequest, response: Dispatcher.ResponseData): Promise<TransportResponse> {
    const headers = flatHeaders(response);
    let text: string;
    try {
      text = await response.body.text();
    } catch (cause) {
      throw this.#failure(request, cause);
    }
    if (!headers["content-type"]?.includes("json")) return { status: response.statusCode, headers, body: text };
    try {
      return { status: response.statusCode, headers, body: JSON.parse(text) };
    } catch (cause) {
      const start = text.slice(0, 80);
      throw new OperatorError(
        "TRANSPORT_FAILED",
        `Cannot read the answer to ${request.method} ${request.path}: "${start}" is not JSON`,
        { cause },
      );
    }
  }

  async *#items(request: TransportRequest, { body }: Dispatcher.ResponseData): AsyncGenerator<unknown, void> {
    try {
      yield* jsonLines(body);
    } catch (cause) {
      throw this.#failure(request, cause);
    } finally {
      // Whoever leaves the loop early has no use for the rest; destroying the body closes the connection.
      body.on("error", () => {}).destroy();
    }
  }

  #failure({ method, path, signal }: TransportRequest, cause: unknown): unknown {
    if (signal?.aborted) return signal.reason;
    const why = cause instanceof Error ? [cause.message, codeOf(cause)].filter(Boolean).join(" ") : String(cause);
    return new OperatorError("TRANSPORT_FAILED", `Cannot ${method} "${path}" at ${this.#connection.server}: ${why}`, {
      cause,
    });
  }
}

function codeOf(error: Error): string {
  return "code" in error && typeof error.code === "string" && !error.message.includes(error.code)
    ? `(${error.code})`
    : "";
}

function flatHeaders({ headers }: Dispatcher.ResponseData): Record<string, string> {
  const flat: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) flat[name] = Array.isArray(value) ? value.join(", ") : value;
  }
  return flat;
}
