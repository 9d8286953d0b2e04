import { isJsonObject } from "@kubewright/core/json";
import { checkClientCertificate } from "./check-client-certificate.js";
import { type ExecCredential, type ExecPlugin, execError } from "./exec-plugin.js";

/** RFC 3339, as Kubernetes writes times. */
const timestamp = /^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+-]\d\d:\d\d)$/;

/** Parses a plugin's output. Throws CONFIG_INVALID unless it is an ExecCredential of the plugin's API version. */
export function parseExecCredential({ command, apiVersion }: ExecPlugin, output: string): ExecCredential {
  let credential: unknown;
  try {
    credential = JSON.parse(output);
  } catch (cause) {
    // The output may contain secrets: never include it in a message.
    throw execError(command, "its output is not JSON", cause);
  }
  if (!isJsonObject(credential) || credential["kind"] !== "ExecCredential")
    throw execError(command, "its output is not an ExecCredential");
  if (credential["apiVersion"] !== apiVersion) {
    throw execError(
      command,
      `it is configured to use API version ${apiVersion}, and returned version ${JSON.stringify(credential["apiVersion"] ?? null)}`,
    );
  }
  const status = credential["status"];
  if (!isJsonObject(status)) throw execError(command, "its output has no status");
  const text = (field: string): string => {
    const value = status[field] ?? "";
    if (typeof value !== "string") throw execError(command, `"${field}" in its output is not a string`);
    return value;
  };
  const token = text("token").trim();
  const certificate = text("clientCertificateData");
  const key = text("clientKeyData");
  if (token === "" && certificate === "" && key === "")
    throw execError(command, "its output has neither a token nor a client certificate with its key");
  if ((certificate === "") !== (key === "")) throw execError(command, "its output has only one of certificate and key");
  if (certificate !== "") checkPair(command, certificate, key);
  const expires = text("expirationTimestamp");
  if (expires !== "" && (!timestamp.test(expires) || Number.isNaN(Date.parse(expires))))
    throw execError(command, `"expirationTimestamp" in its output is not a time: "${expires.slice(0, 40)}"`);
  return {
    ...(token !== "" && { token }),
    ...(certificate !== "" && { clientCertificate: { certificate, key } }),
    ...(expires !== "" && { expiresMs: Date.parse(expires) }),
  };
}

function checkPair(command: string, certificate: string, key: string): void {
  try {
    checkClientCertificate({ certificate, key });
  } catch (cause) {
    throw execError(command, cause instanceof Error ? cause.message : String(cause), cause);
  }
}
