/// <reference path="./undici-parts.d.ts" />
import { OperatorError } from "@kubewright/core/errors";
import buildConnector from "undici/lib/core/connect.js";
import Agent from "undici/lib/dispatcher/agent.js";
import { checkClientCertificate } from "./check-client-certificate.js";
import { chooseProxy } from "./choose-proxy.js";
import type { Connection } from "./connection.js";
import type { Credential } from "./credential.js";
import { proxyConnector } from "./proxy-tunnel.js";

// Undici, TLS and sockets dominate the load time: import this file lazily, with the first request.

/** Larger responses are rejected; no page of a list comes near this size. */
const maxResponseBytes = 512 * 1024 * 1024;
/** kube-apiserver closes idle connections after 90 s, load balancers often earlier; a request must not hit a closed connection. */
const keepAliveMs = 30_000;
/**
 * Read buffer of a socket. By default a socket pauses and resumes after each TLS record, which costs a busy watch as much as decoding. Undici
 * passes it to the socket, although its types omit it.
 */
const reading: object = { highWaterMark: 1024 * 1024 };

/** Connections to one server. */
export interface Agents {
  readonly requests: Agent;
  /** Watches use separate connections, so that they never occupy those of ordinary requests. */
  readonly watches: Agent;
}

/** Options of {@link openAgents}. */
export interface AgentOptions {
  /** PEM of the current CA. */
  readonly ca: string | undefined;
  readonly credential: Credential;
  /** Timeout for response headers, and between chunks of a response that is not a watch. */
  readonly responseTimeoutMs: number;
}

/** Creates agents that connect on demand. Throws CONFIG_INVALID for certificates that TLS cannot use. */
export function openAgents(connection: Connection, { ca, credential, responseTimeoutMs }: AgentOptions): Agents {
  const { insecureSkipTlsVerify = false, tlsServerName, server } = connection;
  const { clientCertificate } = credential;
  checkAuthority(ca, insecureSkipTlsVerify);
  if (clientCertificate) checkClientCertificate(clientCertificate);
  const direct = buildConnector({
    keepAliveInitialDelay: 30_000,
    ...reading,
    rejectUnauthorized: !insecureSkipTlsVerify,
    ...(ca !== undefined && { ca }),
    ...(tlsServerName !== undefined && { servername: tlsServerName }),
    ...(clientCertificate && { cert: clientCertificate.certificate, key: clientCertificate.key }),
  });
  const proxy = chooseProxy(new URL(server), connection);
  const proxyTls = { caCertificate: ca, rejectUnauthorized: !insecureSkipTlsVerify };
  // Undici measures these timeouts in real time, not by `clock`: the server runs in real time even under a fake clock.
  const common = {
    connect: proxy === undefined ? direct : proxyConnector(proxy, proxyTls, direct),
    headersTimeout: responseTimeoutMs,
    keepAliveTimeout: keepAliveMs,
  };
  return {
    requests: new Agent({
      ...common,
      connections: 64,
      bodyTimeout: responseTimeoutMs,
      maxResponseSize: maxResponseBytes,
    }),
    // A watch may be idle between events; stage 1 (watch) detects a stalled one.
    watches: new Agent({ ...common, bodyTimeout: 0, pipelining: 0 }),
  };
}

function checkAuthority(ca: string | undefined, insecure: boolean): void {
  if (ca === undefined) return;
  if (insecure) {
    throw new OperatorError(
      "CONFIG_INVALID",
      "Cannot connect: a certificate authority and insecure-skip-tls-verify are both set; remove one of them",
    );
  }
  // TLS would silently ignore it and then trust no server.
  if (!ca.includes("-----BEGIN CERTIFICATE-----"))
    throw new OperatorError("CONFIG_INVALID", "Cannot connect: the certificate authority contains no PEM certificate");
}
