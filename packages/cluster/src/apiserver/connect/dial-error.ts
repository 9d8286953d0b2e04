import { hostPort } from "./kubelet-endpoint.js";

/** What Go says about a failed system call. */
const systemErrors: Readonly<Record<string, string>> = {
  ECONNREFUSED: "connect: connection refused",
  EHOSTUNREACH: "connect: no route to host",
  ENETUNREACH: "connect: network is unreachable",
  ETIMEDOUT: "i/o timeout",
};

const certificateErrors: Readonly<Record<string, string>> = {
  SELF_SIGNED_CERT_IN_CHAIN: "x509: certificate signed by unknown authority",
  DEPTH_ZERO_SELF_SIGNED_CERT: "x509: certificate signed by unknown authority",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: "x509: certificate signed by unknown authority",
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: "x509: certificate signed by unknown authority",
  CERT_SIGNATURE_FAILURE: "x509: certificate signed by unknown authority",
  CERT_HAS_EXPIRED: "x509: certificate has expired or is not yet valid",
  CERT_NOT_YET_VALID: "x509: certificate has expired or is not yet valid",
};

/** The error of a request that did not reach its target, in Go's words: people search for them. */
export function dialError(error: Error, url: string): Error {
  const { code = "" } = error as NodeJS.ErrnoException;
  const { hostname, port, protocol } = new URL(url);
  const host = hostname.replace(/^\[|\]$/g, "");
  const address = hostPort(host, port === "" ? (protocol === "https:" ? "443" : "80") : port);
  const cause = { cause: error };
  const known = systemErrors[code];
  if (known !== undefined) return new Error(`dial tcp ${address}: ${known}`, cause);
  if (code === "ENOTFOUND" || code === "EAI_AGAIN") return new Error(`dial tcp: lookup ${host}: no such host`, cause);
  const certificate = certificateErrors[code];
  if (certificate !== undefined) return new Error(`tls: failed to verify certificate: ${certificate}`, cause);
  if (code === "ERR_TLS_CERT_ALTNAME_INVALID")
    return new Error(`tls: failed to verify certificate: x509: ${error.message}`, cause);
  // Node.js says "socket hang up".
  if (code === "ECONNRESET") return new Error("EOF", cause);
  return error;
}
