import type { Socket } from "node:net";
import { OperatorError } from "@kubewright/core/errors";
import type { buildConnector } from "undici";
import { openSocks5 } from "./socks5.js";

/** How long a proxy may take; undici gives a server the same. Real time, as the proxy's own. */
const openTimeoutMs = 10_000;

/** What vouches for a proxy that is reached over TLS: the system's authorities and, as in client-go, the cluster's. */
export interface ProxyTls {
  readonly caCertificate: string | undefined;
  readonly rejectUnauthorized: boolean;
}

/**
 * Connects through a proxy: by HTTP CONNECT, or SOCKS5, which resolves the name at the proxy. The server's TLS runs inside, from end to
 * end, by `toServer`.
 *
 * A name and password in the proxy's address are shown to the proxy only.
 */
export function proxyConnector(
  proxy: URL,
  tls: ProxyTls,
  toServer: buildConnector.connector,
): buildConnector.connector {
  return (options, callback) => {
    const port = Number(options.port || (options.protocol === "https:" ? 443 : 80));
    const opened =
      proxy.protocol === "socks5:"
        ? openBySocks5(proxy, options.hostname, port)
        : openByConnect(proxy, tls, options.hostname, port);
    opened.then(
      (socket) => {
        if (options.protocol === "https:") toServer({ ...options, httpSocket: socket }, callback);
        else callback(null, socket);
      },
      (error: Error) => callback(error, null),
    );
  };
}

async function openByConnect(proxy: URL, tls: ProxyTls, hostname: string, port: number): Promise<Socket> {
  const secure = proxy.protocol === "https:";
  const { request } = secure ? await import("node:https") : await import("node:http");
  const authorities = secure && tls.caCertificate !== undefined ? await withSystemAuthorities(tls.caCertificate) : [];
  const authority = `${hostname.includes(":") && !hostname.startsWith("[") ? `[${hostname}]` : hostname}:${port}`;
  return new Promise((resolve, reject) => {
    const connect = request({
      host: proxy.hostname.replace(/^\[|\]$/g, ""),
      port: proxy.port || (secure ? 443 : 80),
      method: "CONNECT",
      path: authority,
      agent: false,
      timeout: openTimeoutMs,
      headers: { host: authority, ...authorizationOf(proxy) },
      ...(secure && { rejectUnauthorized: tls.rejectUnauthorized }),
      ...(authorities.length > 0 && { ca: authorities }),
    });
    connect.once("connect", (answer, socket: Socket) => {
      socket.setTimeout(0);
      if (answer.statusCode === 200) return resolve(socket);
      socket.destroy();
      reject(
        proxyError(
          proxy,
          answer.statusCode === 407
            ? "it asks for a name and password (407); put them into the proxy's address"
            : `it answered the CONNECT to ${authority} with status ${answer.statusCode}`,
        ),
      );
    });
    connect.once("timeout", () => connect.destroy(new Error(`it did not answer within ${openTimeoutMs / 1_000} s`)));
    connect.once("error", (cause) => reject(proxyError(proxy, cause.message, cause)));
    connect.end();
  });
}

async function openBySocks5(proxy: URL, hostname: string, port: number): Promise<Socket> {
  const { connect } = await import("node:net");
  const socket = connect({
    host: proxy.hostname.replace(/^\[|\]$/g, ""),
    port: Number(proxy.port || 1080),
    noDelay: true,
  });
  // Between two reads nobody else listens; the next read finds the socket destroyed.
  socket.on("error", () => {});
  socket.setTimeout(openTimeoutMs, () =>
    socket.destroy(new Error(`it did not answer within ${openTimeoutMs / 1_000} s`)),
  );
  try {
    await openSocks5(socket, {
      hostname,
      port,
      username: decodeURIComponent(proxy.username),
      password: decodeURIComponent(proxy.password),
    });
  } catch (cause) {
    socket.destroy();
    throw proxyError(proxy, cause instanceof Error ? cause.message : String(cause), cause);
  }
  socket.removeAllListeners("timeout").setTimeout(0);
  return socket;
}

function authorizationOf({ username, password }: URL): Record<string, string> {
  if (username === "") return {};
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { "proxy-authorization": `Basic ${Buffer.from(pair).toString("base64")}` };
}

async function withSystemAuthorities(caCertificate: string): Promise<string[]> {
  const { rootCertificates } = await import("node:tls");
  return [...rootCertificates, caCertificate];
}

function proxyError({ protocol, host }: URL, why: string, cause?: unknown): OperatorError {
  return new OperatorError(
    "TRANSPORT_FAILED",
    `Cannot connect through the proxy ${protocol}//${host}: ${why}`,
    cause === undefined ? undefined : { cause },
  );
}
