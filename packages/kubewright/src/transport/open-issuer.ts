import { Agent, buildConnector, type Dispatcher } from "undici";
import { chooseProxy } from "./choose-proxy.js";
import type { Connection } from "./connection.js";
import { proxyConnector } from "./proxy-tunnel.js";

// The whole of undici, which few programs need: whoever needs this file imports it with the first token.

const issuerTimeoutMs = 30_000;

/** Connections to an OIDC issuer, through the environment's proxy where there is one. */
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
