import type { IncomingMessage } from "node:http";
import { Agent, request as httpsRequest } from "node:https";
import { createInterface } from "node:readline";
import { parseJson } from "@kubewright/core/json";
import { comparedHeaders, type Door, type Incoming, type OpenWatch, type Outgoing } from "./door.js";
import { eventQueue } from "./event-queue.js";

/** A server over HTTPS, as a client on the network reaches it. */
export class HttpsDoor implements Door {
  readonly #agent: Agent;
  readonly #url: string;
  readonly #token: string;

  constructor(server: { readonly url: string; readonly caCertificate: string; readonly token: string }) {
    this.#agent = new Agent({ ca: server.caCertificate, keepAlive: true });
    this.#url = server.url;
    this.#token = server.token;
  }

  /** A server that drops the connection has answered with the status 0. */
  async send(request: Outgoing): Promise<Incoming> {
    try {
      return await whole(await this.#begin(request));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ECONNRESET") throw error;
      return { status: 0, headers: {}, body: undefined };
    }
  }

  async watch(request: Outgoing): Promise<{ answer: Incoming; watch?: OpenWatch }> {
    const incoming = await this.#begin(request);
    if (incoming.statusCode !== 200) return { answer: await whole(incoming) };
    const queue = eventQueue();
    const lines = createInterface({ input: incoming });
    lines.on("line", (line) => queue.push(parseJson(line)));
    lines.on("close", () => queue.end());
    // A watch that is closed from here ends with an error of its own, which its lines tell as well.
    for (const stream of [incoming, lines]) stream.on("error", () => queue.end());
    return {
      answer: { status: 200, headers: headersOf(incoming), body: undefined },
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

  #begin(request: Outgoing, isAgain = false): Promise<IncomingMessage> {
    const { method, path, headers, text } = request;
    return new Promise((resolve, reject) => {
      // The path as it is: a URL would settle what it says about other folders.
      const { hostname, port } = new URL(this.#url);
      const outgoing = httpsRequest(
        {
          hostname,
          port,
          path,
          method,
          agent: this.#agent,
          headers: { authorization: `Bearer ${this.#token}`, ...lengthOf(text), ...headers },
        },
        resolve,
      );
      outgoing.on("error", (error: NodeJS.ErrnoException) => {
        // A server may close a connection that was idle at the moment in which it is used again: nothing was read then.
        const isIdle = !isAgain && outgoing.reusedSocket && error.code === "ECONNRESET";
        if (isIdle) this.#begin(request, true).then(resolve, reject);
        else reject(error);
      });
      outgoing.end(text);
    });
  }
}

/** Node sends a body with a DELETE only when its length is told; without, its bytes would spoil the next request. */
function lengthOf(text: string | undefined): Record<string, string> {
  return text === undefined ? {} : { "content-length": String(Buffer.byteLength(text)) };
}

async function whole(incoming: IncomingMessage): Promise<Incoming> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks).toString("utf8");
  return { status: incoming.statusCode ?? 0, headers: headersOf(incoming), body: jsonOrText(text) };
}

/** By its looks, because a real server sends some JSON as plain text. */
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
