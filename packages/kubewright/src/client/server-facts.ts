import { OperatorError } from "@kubewright/core/errors";
import { deepFreeze, isJsonObject } from "@kubewright/core/json";
import type { TransportRequest } from "@kubewright/core/transport";
import type { CallOptions } from "./client-options.js";

/** The version of a server. */
export interface ServerVersion {
  readonly major: string;
  readonly minor: string;
  /** For instance `v1.36.4`. */
  readonly gitVersion: string;
  readonly platform: string;
}

/** Which health of a server to ask for. */
export interface HealthOptions extends CallOptions {
  /** Ready to serve, or alive at all. @default "readyz" */
  readonly check?: "readyz" | "livez";
  /** Names each check in the report. @default false */
  readonly verbose?: boolean;
  /** Checks that do not count. One name at most: the transport carries a parameter once. */
  readonly exclude?: string;
}

/** The health of a server. */
export interface Health {
  readonly healthy: boolean;
  readonly status: number;
  /** The response body: `ok`, or the failed checks. */
  readonly report: string;
}

/** The version from a response. */
export function asServerVersion(body: unknown): ServerVersion {
  if (!isJsonObject(body) || typeof body["gitVersion"] !== "string") {
    throw new OperatorError("TRANSPORT_FAILED", "Cannot get the server's version: the answer is not a version");
  }
  return deepFreeze(body) as unknown as ServerVersion;
}

/** The request for the health of a server. */
export function healthRequest({ check = "readyz", verbose = false, exclude }: HealthOptions): TransportRequest {
  const query = { ...(verbose && { verbose: "true" }), ...(exclude !== undefined && { exclude }) };
  return { method: "GET", path: `/${check}`, query, headers: { accept: "*/*" } };
}
