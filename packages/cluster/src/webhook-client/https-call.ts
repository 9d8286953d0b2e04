import { Agent, request } from "node:https";
import { parseJson } from "@kubewright/core/json";
import { CallFailure, connectionFailure, statusFailure } from "./call-failure.js";

/** One POST. */
export interface HttpsCall {
  /** With the query, as error messages show it. */
  readonly url: string;
  /** The host and port to connect to, if not those of the URL. */
  readonly address?: { readonly host: string; readonly port: number };
  readonly body: string;
  readonly agent: Agent;
  readonly signal: AbortSignal;
}

/** The largest response that is read. */
const longestResponse = 64 * 1024 * 1024;

/** An agent that keeps connections open. It trusts these PEM certificates; the system's if there are none. */
export function agentFor(caBundle: string, serverName?: string): Agent {
  return new Agent({
    keepAlive: true,
    ...(caBundle.trim() === "" ? {} : { ca: caBundle }),
    ...(serverName === undefined ? {} : { servername: serverName }),
  });
}

/** Posts a review and returns the parsed body of the response. Rejects with a {@link CallFailure}. */
export async function postOverHttps(call: HttpsCall): Promise<unknown> {
  const { status, text, isPlain } = await exchange(call, false);
  if (status < 200 || status > 206) throw statusFailure(status, isPlain ? text : "");
  if (text === "") throw new CallFailure(`0-length response with status code: ${status} and content type: `);
  try {
    return parseJson(text);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new CallFailure(`couldn't get version/kind; json parse error: ${why}`);
  }
}

interface Received {
  readonly status: number;
  readonly text: string;
  /** Whether the body is plain text, which error messages show. */
  readonly isPlain: boolean;
}

function exchange(call: HttpsCall, isAgain: boolean): Promise<Received> {
  const { url, address, body, agent, signal } = call;
  return new Promise((resolve, reject) => {
    const fail = (error: NodeJS.ErrnoException): void => reject(connectionFailure(url, error));
    const { hostname, port, pathname, search } = new URL(url);
    const sent = request(
      {
        agent,
        signal,
        method: "POST",
        hostname: address?.host ?? hostname.replace(/^\[|\]$/g, ""),
        port: address?.port ?? (port === "" ? 443 : port),
        path: pathname + search,
        headers: {
          accept: "application/json, */*",
          "content-type": "application/json",
          "content-length": Buffer.byteLength(body),
          "user-agent": "kube-apiserver-admission",
        },
      },
      (incoming) => {
        const chunks: Buffer[] = [];
        let length = 0;
        incoming.on("data", (chunk: Buffer) => {
          chunks.push(chunk);
          length += chunk.length;
          if (length > longestResponse)
            incoming.destroy(new Error(`the response is larger than ${longestResponse} bytes`));
        });
        incoming.on("error", fail);
        incoming.on("end", () =>
          resolve({
            status: incoming.statusCode ?? 0,
            text: Buffer.concat(chunks).toString("utf8"),
            isPlain: (incoming.headers["content-type"] ?? "").startsWith("text/"),
          }),
        );
      },
    );
    sent.on("error", (error: NodeJS.ErrnoException) => {
      // A server may close an idle connection just when it is reused: it has not read the request, so send it again.
      const isIdle = !isAgain && sent.reusedSocket && error.code === "ECONNRESET";
      if (isIdle) exchange(call, true).then(resolve, reject);
      else fail(error);
    });
    sent.end(body);
  });
}
