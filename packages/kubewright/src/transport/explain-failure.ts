import { isOperatorError } from "@kubewright/core/errors";

const untrusted = `the server's certificate is signed by an unknown authority; set "certificate-authority-data" of the cluster to the CA that issued it`;

const connectionLost = "the connection was lost before the response was complete";

/** What happened and what to do, by the error code of Node, OpenSSL or undici. */
const explanations: Readonly<Record<string, string>> = {
  ECONNREFUSED: "the connection was refused; check the server's address, and whether an API server listens there",
  ENOTFOUND: "the host name cannot be resolved; check the server's address and DNS",
  EAI_AGAIN: "the host name cannot be resolved at the moment; check DNS and the network",
  EHOSTUNREACH: "the host cannot be reached; check the network, a VPN or a firewall",
  ENETUNREACH: "the network cannot be reached; check the network or a VPN",
  ETIMEDOUT: "the connection timed out; check the server's address, a VPN or a firewall",
  ECONNRESET: connectionLost,
  EPIPE: connectionLost,
  UND_ERR_SOCKET: connectionLost,
  UND_ERR_CONNECT_TIMEOUT: "the connection timed out; check the server's address, a VPN or a firewall",
  UND_ERR_HEADERS_TIMEOUT: "the server did not respond in time",
  UND_ERR_BODY_TIMEOUT: "the server stopped sending in the middle of the response",
  UND_ERR_RES_EXCEEDED_MAX_SIZE: "the response is too large; request it in pages (limit and continue)",
  DEPTH_ZERO_SELF_SIGNED_CERT: untrusted,
  SELF_SIGNED_CERT_IN_CHAIN: untrusted,
  UNABLE_TO_GET_ISSUER_CERT: untrusted,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: untrusted,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: untrusted,
  CERT_SIGNATURE_FAILURE: untrusted,
  CERT_HAS_EXPIRED: "the server's certificate has expired; renew it, or check this machine's clock",
  CERT_NOT_YET_VALID: "the server's certificate is not valid yet; check the clocks of both machines",
  ERR_TLS_CERT_ALTNAME_INVALID: `the server's certificate is for another name; connect by a name in the certificate, or set "tls-server-name"`,
  ERR_SSL_WRONG_VERSION_NUMBER: `the server does not speak TLS; check whether its address should start with "http:"`,
  ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED: "the server requires a client certificate",
  ERR_SSL_SSLV3_ALERT_BAD_CERTIFICATE: "the server rejects the client certificate",
  ERR_SSL_TLSV1_ALERT_UNKNOWN_CA: "the server does not trust the CA of the client certificate",
  ERR_SSL_SSLV3_ALERT_CERTIFICATE_EXPIRED: "the client certificate has expired",
};

/** Describes why a request got no response, with the original message and code in parentheses. */
export function explainFailure(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause);
  // Undici aggregates the failures of all addresses (IPv4 and IPv6) of a host name.
  if (cause instanceof AggregateError && cause.errors.length > 0) return explainFailure(cause.errors[0]);
  const code = codeOf(cause);
  // OpenSSL's own message has a thread id, a source line and a line break.
  const isOpenSsl = code.startsWith("ERR_SSL_") && explanations[code] !== undefined;
  const original = isOpenSsl
    ? code
    : code === "" || cause.message.includes(code)
      ? cause.message
      : `${cause.message} ${code}`.trim();
  const explanation = isConnectionLoss(cause)
    ? connectionLost
    : cause.name === "HTTPParserError"
      ? "the server does not speak HTTP/1.1; check the server's address"
      : explanations[code];
  return explanation === undefined ? original : `${explanation} (${original})`;
}

/** Reports whether an established connection was lost: whether the server processed the request is unknown. */
export function isConnectionLoss(cause: unknown): boolean {
  // Undici reports EOF in the middle of a chunk as a parser error without a code.
  if (cause instanceof Error && cause.name === "HTTPParserError") return cause.message.includes("EOF");
  return explanations[codeOf(cause)] === connectionLost;
}

/**
 * Reports which side rejected the TLS handshake: `"client"` rejected the server's certificate, `"server"` aborted the handshake. No request was
 * sent, so a retry with another CA or client certificate is safe.
 */
export function tlsRejectedBy(cause: unknown): "client" | "server" | undefined {
  if (isOperatorError(cause)) return undefined;
  const code = codeOf(cause);
  if (code.startsWith("ERR_SSL_")) return "server";
  return code.startsWith("ERR_TLS_") || code.startsWith("CERT_") || explanations[code] === untrusted
    ? "client"
    : undefined;
}

/** The error's code; empty if it has none. */
export function codeOf(error: unknown): string {
  return typeof error === "object" && error !== null && "code" in error && typeof error.code === "string"
    ? error.code
    : "";
}
