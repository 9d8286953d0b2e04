/// <reference path="./undici-parts.d.ts" />
import { OperatorError } from "@kubewright/core/errors";
import buildConnector from "undici/lib/core/connect.js";
import Agent from "undici/lib/dispatcher/agent.js";
import { checkClientCertificate } from "./check-client-certificate.js";
import { chooseProxy } from "./choose-proxy.js";
import type { Connection } from "./connection.js";
import type { Credential } from "./credential.js";
import { proxyConnector } from "./proxy-tunnel.js";

// Undici, TLS and sockets take longer to load than all else: whoever needs this file imports it with the first request.

/** An answer larger than this is refused: no page of a list comes near it. */
const maxResponseBytes = 512 * 1024 * 1024;
/** API servers keep idle connections for a minute and a half, what stands between often less: a request must not meet a closed one. */
const keepAliveMs = 30_000;
/**
 * So many bytes may come at once. By its default a socket stops and starts anew after each record of TLS, which for a busy watch costs as much as
 * decoding does. Undici hands it on to the socket, though its types do not know it.
 */
const reading: object = { highWaterMark: 1024 * 1024 };

/** Connections to one server. */
export interface Agents {
  readonly requests: Agent;
  /** Watches have connections of their own, so that they never take those of ordinary requests. */
  readonly watches: Agent;
}

/** What connections are opened with. */
export interface AgentOptions {
  /** PEM of the authority that holds now. */
  readonly ca: string | undefined;
  readonly credential: Credential;
  /** How long a server may be silent in an ordinary answer, and before any answer. */
  readonly responseTimeoutMs: number;
}

/** Opens nothing yet: each request brings the connection that it needs. Throws CONFIG_INVALID for certificates that TLS cannot use. */
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
  // Silence is measured by undici in real time, not by the clock: the server lives in real time, whatever a test does with its own.
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
    // A watch is silent between events for as long as its own timeout: who watches decides when silence is too long.
    watches: new Agent({ ...common, bodyTimeout: 0, pipelining: 0 }),
  };
}

function checkAuthority(ca: string | undefined, insecure: boolean): void {
  if (ca === undefined) return;
  if (insecure) {
    throw new OperatorError(
      "CONFIG_INVALID",
      "Cannot connect: a certificate authority is given together with insecure-skip-tls-verify; remove one of them",
    );
  }
  // TLS would ignore it without a word, and then trust nobody.
  if (!ca.includes("-----BEGIN CERTIFICATE-----"))
    throw new OperatorError("CONFIG_INVALID", "Cannot connect: the certificate authority holds no PEM certificate");
}
