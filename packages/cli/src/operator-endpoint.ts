import { readFile } from "node:fs/promises";
import { type IncomingMessage, request as plainRequest } from "node:http";
import { request as secureRequest } from "node:https";
import { OperatorError } from "@kubewright/core/errors";

/** Where a running operator serves its metrics, and how to connect. */
export interface OperatorAddress {
  readonly url: string;
  readonly token: string | undefined;
  /** A file. */
  readonly certificateAuthority: string | undefined;
  readonly acceptsAnyCertificate: boolean;
}

/** More than the runs of one object take. */
const maxBytes = 64 * 1024 * 1024;
const timeoutMs = 10_000;

/** Sends a GET request to a running operator. Throws CONFIG_INVALID for an invalid address, TRANSPORT_FAILED where it is not reachable. */
export async function getFromOperator(
  address: OperatorAddress,
  path: string,
): Promise<{ readonly status: number; readonly body: string }> {
  const { url, token, certificateAuthority, acceptsAnyCertificate } = address;
  const target = URL.canParse(path, url) ? new URL(path, url) : undefined;
  if (target === undefined || !["http:", "https:"].includes(target.protocol))
    throw new OperatorError("CONFIG_INVALID", `Cannot connect to "${url}": it is not an http or https URL`);
  const ca = certificateAuthority === undefined ? undefined : await readCa(certificateAuthority);
  const options = {
    timeout: timeoutMs,
    headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
    rejectUnauthorized: !acceptsAnyCertificate,
    ...(ca !== undefined && { ca }),
  };
  try {
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      const send = target.protocol === "https:" ? secureRequest : plainRequest;
      const sent = send(target, options, resolve);
      sent.once("timeout", () => sent.destroy(new Error(`no response within ${timeoutMs / 1_000} s`)));
      sent.once("error", reject);
      sent.end();
    });
    return { status: response.statusCode ?? 0, body: await readAll(response) };
  } catch (cause) {
    throw notReachable(url, cause);
  }
}

async function readAll(response: IncomingMessage): Promise<string> {
  let body = "";
  response.setEncoding("utf8");
  for await (const chunk of response) {
    body += chunk;
    if (body.length > maxBytes) throw new Error("the response is too long");
  }
  return body;
}

async function readCa(file: string): Promise<string> {
  try {
    return await readFile(file, "utf8");
  } catch (cause) {
    throw new OperatorError("CONFIG_INVALID", `Cannot read the CA certificate "${file}": ${messageOf(cause)}`, {
      cause,
    });
  }
}

function notReachable(url: string, cause: unknown): OperatorError {
  const code = cause instanceof Error && "code" in cause ? String(cause.code) : "";
  const isCertificate = /CERT|SELF_SIGNED|UNABLE_TO_VERIFY/.test(code);
  const remedy = isCertificate
    ? "use --certificate-authority, or --insecure-skip-tls-verify"
    : "is the operator running with `metricsAddress`? Name it with --url; in a cluster use `kubectl port-forward`";
  const why = messageOf(cause) || code;
  return new OperatorError("TRANSPORT_FAILED", `Cannot reach an operator at "${url}": ${why}; ${remedy}`, { cause });
}

function messageOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}
