import { Agent, buildConnector, type Dispatcher } from "undici";
import { chooseProxy } from "./choose-proxy.js";
import type { Connection } from "./connection.js";
import { proxyConnector } from "./proxy-tunnel.js";

// Loads all of undici, which few operators need: import this file lazily, with the first token.

const issuerTimeoutMs = 30_000;

/** Creates a dispatcher for an OIDC issuer, through the environment's proxy if one is set. */
export function openIssuer(
  { environmentProxy }: Connection,
  issuerUrl: string,
  caCertificate: string | undefined,
): Dispatcher {
  const direct = buildConnector(caCertificate === undefined ? {} : { ca: caCertificate });
  const proxy = chooseProxy(new URL(issuerUrl), environmentProxy ? { environmentProxy } : {});
  const connect =
    proxy === undefined ? direct : proxyConnector(proxy, { caCertificate, rejectUnauthorized: true }, direct);
  return new Agent({ connect, headersTimeout: issuerTimeoutMs, bodyTimeout: issuerTimeoutMs });
}
