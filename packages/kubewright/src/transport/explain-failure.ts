import { isOperatorError } from "@kubewright/core/errors";

const untrusted = `the server's certificate is signed by an authority that is not trusted; set "certificate-authority-data" of the cluster to the right one`;

const cut = "the connection was cut before the answer was complete";

/** By the code of Node, OpenSSL or undici: what happened, and what to do. */
const explanations: Readonly<Record<string, string>> = {
  ECONNREFUSED: "the connection was refused; check the server's address, and whether an API server listens there",
  ENOTFOUND: "the host name cannot be resolved; check the server's address and the DNS",
  EAI_AGAIN: "the host name cannot be resolved now; check the DNS and the network",
  EHOSTUNREACH: "the host cannot be reached; check the network, a VPN or a firewall",
  ENETUNREACH: "the network cannot be reached; check the network or a VPN",
  ETIMEDOUT: "the connection timed out; check the server's address, a VPN or a firewall",
  ECONNRESET: cut,
  EPIPE: cut,
  UND_ERR_SOCKET: cut,
  UND_ERR_CONNECT_TIMEOUT: "the connection timed out; check the server's address, a VPN or a firewall",
  UND_ERR_HEADERS_TIMEOUT: "the server did not answer in time",
  UND_ERR_BODY_TIMEOUT: "the server stopped in the middle of its answer",
  UND_ERR_RES_EXCEEDED_MAX_SIZE: "the answer is too large; ask for it in pages",
  DEPTH_ZERO_SELF_SIGNED_CERT: untrusted,
  SELF_SIGNED_CERT_IN_CHAIN: untrusted,
  UNABLE_TO_GET_ISSUER_CERT: untrusted,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: untrusted,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: untrusted,
  CERT_SIGNATURE_FAILURE: untrusted,
  CERT_HAS_EXPIRED: "the server's certificate has expired; renew it, or check this machine's clock",
  CERT_NOT_YET_VALID: "the server's certificate is not valid yet; check the clocks of both machines",
  ERR_TLS_CERT_ALTNAME_INVALID: `the server's certificate is for another name; connect by a name that it holds, or set "tls-server-name"`,
  ERR_SSL_WRONG_VERSION_NUMBER: `the server does not speak TLS; check whether its address begins with "http:"`,
  ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED: "the server asks for a client certificate",
  ERR_SSL_SSLV3_ALERT_BAD_CERTIFICATE: "the server refuses the client certificate",
  ERR_SSL_TLSV1_ALERT_UNKNOWN_CA: "the server does not trust the authority of the client certificate",
  ERR_SSL_SSLV3_ALERT_CERTIFICATE_EXPIRED: "the client certificate has expired",
};

/** Why a request got no answer: in words, with the original message and code behind them. */
export function explainFailure(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause);
  // Undici gathers the failures of several addresses (IPv4 and IPv6) of one name.
  if (cause instanceof AggregateError && cause.errors.length > 0) return explainFailure(cause.errors[0]);
  const code = codeOf(cause);
  const said = code === "" || cause.message.includes(code) ? cause.message : `${cause.message} ${code}`.trim();
  const explanation = isConnectionLoss(cause)
    ? cut
    : cause.name === "HTTPParserError"
      ? "the server does not speak HTTP/1.1; check the server's address"
      : explanations[code];
  return explanation === undefined ? said : `${explanation} (${said})`;
}

/** Tells whether a connection that was there is gone: nobody knows what the server did. */
export function isConnectionLoss(cause: unknown): boolean {
  // Undici gives the end of a stream in the middle of a chunk as an error of the parser, without a code.
  if (cause instanceof Error && cause.name === "HTTPParserError") return cause.message.includes("EOF");
  return explanations[codeOf(cause)] === cut;
}

/**
 * Tells whether TLS could not agree, and who did not: `"client"` when this side refused the server's certificate, `"server"` when the
 * other side ended the handshake. Nothing was sent then, and another authority or certificate may do.
 */
export function tlsRefusal(cause: unknown): "client" | "server" | undefined {
  if (isOperatorError(cause)) return undefined;
  const code = codeOf(cause);
  if (code.startsWith("ERR_SSL_")) return "server";
  return code.startsWith("ERR_TLS_") || code.startsWith("CERT_") || explanations[code] === untrusted
    ? "client"
    : undefined;
}

/** The stable name of a failure, empty where it has none. */
export function codeOf(error: unknown): string {
  return typeof error === "object" && error !== null && "code" in error && typeof error.code === "string"
    ? error.code
    : "";
}
