import { type ApiError, type ApiStatus, isApiError, isExpired } from "@kubewright/core/errors";

/** What a failure means for the resourceVersion to continue from. */
export type WatchFailure =
  /** The version has expired: only a list of the most recent state helps. */
  | { readonly kind: "expired" }
  /** The server is unreachable or overloaded: the version is still valid. */
  | { readonly kind: "unreachable"; readonly retryAfterSeconds: number }
  /** The server fails to serve the watch: the version may be the reason, so that a relist can help if it keeps failing. */
  | { readonly kind: "failing"; readonly retryAfterSeconds: number }
  /** Any other failure: relist. */
  | { readonly kind: "other"; readonly retryAfterSeconds: number };

/** Classifies the failure of a list or watch. */
export function classifyFailure(error: unknown): WatchFailure {
  if (isExpired(error) || isTooLargeVersion(error)) return { kind: "expired" };
  // Without a response the version is still valid.
  if (!isApiError(error)) return { kind: isUnreadable(error) ? "failing" : "unreachable", retryAfterSeconds: 0 };
  const retryAfterSeconds = error.status.details?.retryAfterSeconds ?? 0;
  if (error.httpStatus === 429 || error.httpStatus === 503) return { kind: "unreachable", retryAfterSeconds };
  return { kind: error.httpStatus >= 500 ? "failing" : "other", retryAfterSeconds };
}

/** A watch event that is not JSON would come again from the same version. */
function isUnreadable(error: unknown): boolean {
  return error instanceof Error && error.cause instanceof SyntaxError;
}

/** A server that lags behind or was restored from a backup has not reached the requested version. */
function isTooLargeVersion(error: unknown): error is ApiError {
  return isApiError(error) && error.httpStatus === 504 && hasTooLargeCause(error.status);
}

function hasTooLargeCause(status: ApiStatus): boolean {
  return (
    status.details?.causes?.some((cause) => cause.reason === "ResourceVersionTooLarge") === true ||
    status.message?.includes("Too large resource version") === true
  );
}

/** Whether there was no response, or the server throttles: another request would fail too. */
export function isUnavailable(error: unknown): boolean {
  return !isApiError(error) || error.httpStatus === 429;
}

/** Whether the server rejected the request as invalid, so it does not support sendInitialEvents. */
export function isUnsupported(error: unknown): boolean {
  return isApiError(error) && (error.httpStatus === 400 || error.httpStatus === 422);
}
