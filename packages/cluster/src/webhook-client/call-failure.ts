/** A webhook that could not be called, or whose response is no review. The message is the part that kube-apiserver's HTTP client reports. */
export class CallFailure extends Error {
  override readonly name = "CallFailure";
}

/** The error of a failed connection in the words of Go's HTTP client. */
export function connectionFailure(url: string, error: NodeJS.ErrnoException & AddressError): CallFailure {
  return new CallFailure(`Post ${JSON.stringify(url)}: ${connectionReason(error)}`, { cause: error });
}

interface AddressError {
  readonly address?: string;
  readonly port?: number;
  readonly hostname?: string;
}

/** Node's error codes of certificates, and Go's messages for them. */
const certificateReasons: ReadonlyMap<string, string> = new Map([
  ["CERT_HAS_EXPIRED", "certificate has expired or is not yet valid"],
  ["CERT_NOT_YET_VALID", "certificate has expired or is not yet valid"],
  ["DEPTH_ZERO_SELF_SIGNED_CERT", "certificate signed by unknown authority"],
  ["SELF_SIGNED_CERT_IN_CHAIN", "certificate signed by unknown authority"],
  ["UNABLE_TO_GET_ISSUER_CERT", "certificate signed by unknown authority"],
  ["UNABLE_TO_GET_ISSUER_CERT_LOCALLY", "certificate signed by unknown authority"],
  ["UNABLE_TO_VERIFY_LEAF_SIGNATURE", "certificate signed by unknown authority"],
  ["CERT_SIGNATURE_FAILURE", "certificate signed by unknown authority"],
]);

function connectionReason(error: NodeJS.ErrnoException & AddressError): string {
  const { code = "", address, port, hostname } = error;
  const certificate = certificateReasons.get(code);
  if (certificate !== undefined) return `tls: failed to verify certificate: x509: ${certificate}`;
  if (code === "ERR_TLS_CERT_ALTNAME_INVALID") return `tls: failed to verify certificate: x509: ${error.message}`;
  if (code === "ECONNREFUSED") return `dial tcp ${address}:${port}: connect: connection refused`;
  if (code === "ENOTFOUND" || code === "EAI_AGAIN") return `dial tcp: lookup ${hostname}: no such host`;
  if (code === "ECONNRESET") return "EOF";
  return error.message;
}

const messages: ReadonlyMap<number, string> = new Map([
  [400, "the server rejected our request for an unknown reason"],
  [401, "the server has asked for the client to provide credentials"],
  [404, "the server could not find the requested resource"],
  [405, "the server does not allow this method on the requested resource"],
  [409, "the server reported a conflict"],
  [410, "the server indicated that the requested resource is gone"],
  [422, "the server rejected our request due to an error in our request"],
  [429, "the server has received too many requests and has asked us to try again later"],
  [503, "the server is currently unable to handle the request"],
  [504, "the server was unable to return a response in the time allotted, but may still be processing the request"],
]);

/** The error of a response whose status is not 2xx, in the words of client-go. `text` is its body; empty if that is not plain text. */
export function statusFailure(status: number, text: string): CallFailure {
  const message = messages.get(status) ?? otherMessage(status, text);
  return new CallFailure(message);
}

function otherMessage(status: number, text: string): string {
  const shown = text.trim() === "" ? "unknown" : text.trim();
  if (status === 403) return shown;
  if (status >= 500)
    return `an error on the server (${JSON.stringify(shown)}) has prevented the request from succeeding`;
  return `the server responded with the status code ${status} but did not return more information`;
}
