import type { Socket } from "node:net";
import { OperatorError } from "@kubewright/core/errors";
import type { buildConnector } from "undici";
import { openSocks5 } from "./socks5.js";

/** Timeout for opening a tunnel, equal to undici's connect timeout. In real time, as the proxy's. */
const openTimeoutMs = 10_000;

/** TLS settings of an https proxy: the system's CAs and, as in client-go, the cluster's CA. */
export interface ProxyTls {
  readonly caCertificate: string | undefined;
  readonly rejectUnauthorized: boolean;
}

/**
 * Connects through a proxy, with HTTP CONNECT or with SOCKS5, where the proxy resolves host names. TLS to the server runs end to end inside the
 * tunnel, opened by `toServer`.
 *
 * Username and password in the proxy's URL are sent to the proxy only.
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
    connect.once("connect", (response, socket: Socket) => {
      socket.setTimeout(0);
      if (response.statusCode === 200) return resolve(socket);
      socket.destroy();
      reject(
        proxyError(
          proxy,
          response.statusCode === 407
            ? "it requires a username and password (407); add them to the proxy's URL"
            : `CONNECT to ${authority} returned status ${response.statusCode}`,
        ),
      );
    });
    connect.once("timeout", () => connect.destroy(new Error(`it did not respond within ${openTimeoutMs / 1_000} s`)));
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
  // No listener is attached between two reads; the next read finds the socket destroyed.
  socket.on("error", () => {});
  socket.setTimeout(openTimeoutMs, () =>
    socket.destroy(new Error(`it did not respond within ${openTimeoutMs / 1_000} s`)),
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
