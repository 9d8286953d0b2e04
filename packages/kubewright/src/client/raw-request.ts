import { OperatorError } from "@kubewright/core/errors";
import type { TransportRequest, TransportResponse } from "@kubewright/core/transport";
import type { CallOptions } from "./client-options.js";

/** A request that no verb of the client covers. */
export interface RawRequest extends CallOptions {
  readonly method: TransportRequest["method"];
  /** Begins with a slash, without query: `/apis/metrics.k8s.io/v1beta1/nodes`. Segments that come from outside must be encoded. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  /** A JSON value. */
  readonly body?: unknown;
  /** Names in lower case. `content-type` is `application/json` unless it is given. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** The response to a {@link RawRequest}: JSON as its value, anything else as a string. */
export type RawResponse = TransportResponse;

/** The request as it is sent. Throws CONFIG_INVALID for a path that is none. */
export function transportRequest({ method, path, query, body, headers }: RawRequest): TransportRequest {
  if (!path.startsWith("/") || /[?#\s]/.test(path)) {
    throw new OperatorError(
      "CONFIG_INVALID",
      `Cannot ${method} "${path}": a path begins with a slash, and its query is given as "query"`,
    );
  }
  return {
    method,
    path,
    ...(query === undefined ? {} : { query }),
    headers: { ...(body === undefined ? {} : { "content-type": "application/json" }), ...headers },
    ...(body === undefined ? {} : { body }),
  };
}
