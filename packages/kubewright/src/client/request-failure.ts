import { ApiError, type ApiStatus, isApiStatus, isOperatorError, OperatorError } from "@kubewright/core/errors";
import type { TransportResponse } from "@kubewright/core/transport";

/** What a request was meant to do, for error messages: `Cannot get Website "default/shop"`. */
export interface Intent {
  readonly verb: string;
  readonly object: string;
}

/** The error of a request without a response; the signal's own reason where it was aborted. */
export function unanswered(error: unknown, signal: AbortSignal | undefined, intent: Intent): unknown {
  if (signal?.aborted) return signal.reason;
  const why = error instanceof Error ? error.message : String(error);
  const code = isOperatorError(error) ? error.code : "TRANSPORT_FAILED";
  return new OperatorError(code, `Cannot ${intent.verb} ${intent.object}: ${why}`, { cause: error });
}

/** The error of an unsuccessful response: the server's `Status`, or one made from its body. */
export function refused(response: TransportResponse, intent: Intent): ApiError {
  const status = withRetryAfter(statusOf(response), response.headers["retry-after"]);
  const why = status.message ?? status.reason ?? `the server answered ${response.status}`;
  return new ApiError(response.status, `Cannot ${intent.verb} ${intent.object}: ${why}`, status);
}

function statusOf(response: TransportResponse): ApiStatus {
  if (isApiStatus(response.body)) return response.body;
  const text = typeof response.body === "string" ? response.body.slice(0, 200).trim() : "";
  return {
    kind: "Status",
    apiVersion: "v1",
    metadata: {},
    status: "Failure",
    message: text === "" ? `the server answered ${response.status}` : text,
    code: response.status,
  };
}

/** A proxy in between says it in a header only; readers of the error look in one place. */
function withRetryAfter(status: ApiStatus, header: string | undefined): ApiStatus {
  const seconds = Number(header);
  if (header === undefined || !Number.isFinite(seconds) || seconds < 0) return status;
  if (status.details?.retryAfterSeconds !== undefined) return status;
  return { ...status, details: { ...status.details, retryAfterSeconds: seconds } };
}
