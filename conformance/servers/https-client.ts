import type { IncomingMessage, OutgoingHttpHeaders } from "node:http";
import { Agent, request as httpsRequest } from "node:https";
import { createInterface } from "node:readline";
import { parseJson } from "@kubewright/core/json";
import { type ApiClient, comparedHeaders, type Incoming, type OpenWatch, type Outgoing } from "./api-client.js";
import { eventQueue } from "./event-queue.js";

/** Sends requests over HTTPS, as a client on the network does. */
export class HttpsClient implements ApiClient {
  readonly #agent: Agent;
  readonly #url: string;
  readonly #token: string;

  constructor(server: { readonly url: string; readonly caCertificate: string; readonly token: string }) {
    this.#agent = new Agent({ ca: server.caCertificate, keepAlive: true });
    this.#url = server.url;
    this.#token = server.token;
  }

  /** Status 0 if the server drops the connection. */
  async send(request: Outgoing): Promise<Incoming> {
    try {
      return await whole(await this.#start(request));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ECONNRESET") throw error;
      return { status: 0, headers: {}, body: undefined };
    }
  }

  async watch(request: Outgoing): Promise<{ response: Incoming; watch?: OpenWatch }> {
    const incoming = await this.#start(request);
    if (incoming.statusCode !== 200) return { response: await whole(incoming) };
    const queue = eventQueue();
    const lines = createInterface({ input: incoming });
    lines.on("line", (line) => queue.push(parseJson(line)));
    lines.on("close", () => queue.end());
    // Closing the watch from this side also emits an error, on the response and on the lines.
    for (const stream of [incoming, lines]) stream.on("error", () => queue.end());
    return {
      response: { status: 200, headers: headersOf(incoming), body: undefined },
      watch: {
        next: (timeoutMs) => queue.next(timeoutMs),
        async close() {
          incoming.destroy();
        },
      },
    };
  }

  async close(): Promise<void> {
    this.#agent.destroy();
  }

  #start(request: Outgoing, isAgain = false): Promise<IncomingMessage> {
    const { method, path, headers, text } = request;
    return new Promise((resolve, reject) => {
      // The path verbatim: URL would resolve "..".
      const { hostname, port } = new URL(this.#url);
      const outgoing = httpsRequest(
        {
          hostname,
          port,
          path,
          method,
          agent: this.#agent,
          headers: { authorization: `Bearer ${this.#token}`, ...lengthOf(text), ...(headers as OutgoingHttpHeaders) },
        },
        resolve,
      );
      outgoing.on("error", (error: NodeJS.ErrnoException) => {
        // A server may close an idle connection just when it is reused: the request was not read, so send it again.
        const isIdle = !isAgain && outgoing.reusedSocket && error.code === "ECONNRESET";
        if (isIdle) this.#start(request, true).then(resolve, reject);
        else reject(error);
      });
      outgoing.end(text);
    });
  }
}

/** Node sends no Content-Length for the body of a DELETE, and the server would read its bytes as the next request. */
function lengthOf(text: string | undefined): Record<string, string> {
  return text === undefined ? {} : { "content-length": String(Buffer.byteLength(text)) };
}

async function whole(incoming: IncomingMessage): Promise<Incoming> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks).toString("utf8");
  return { status: incoming.statusCode ?? 0, headers: headersOf(incoming), body: jsonOrText(text) };
}

/** Detects JSON by content, because a real server sends some JSON as text/plain. */
function jsonOrText(text: string): unknown {
  try {
    return text.startsWith("{") ? parseJson(text) : text;
  } catch {
    return text;
  }
}

function headersOf(incoming: IncomingMessage): Incoming["headers"] {
  const found: Record<string, string | string[]> = {};
  for (const name of comparedHeaders) {
    const values = incoming.headersDistinct[name];
    if (values) found[name] = name === "warning" ? values : values.join(", ");
  }
  return found;
}
