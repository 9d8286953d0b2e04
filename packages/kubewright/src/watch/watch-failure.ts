import { type ApiError, type ApiStatus, isApiError, isExpired } from "@kubewright/core/errors";

/** What a failure means for the version to go on from. */
export type WatchFailure =
  /** The version cannot be used any more: only a list of the newest state helps. */
  | { readonly kind: "expired" }
  /** The server is not there or is busy: the version is still good. */
  | { readonly kind: "unreachable"; readonly retryAfterSeconds: number }
  /** Anything else: begin again with a list. */
  | { readonly kind: "other"; readonly retryAfterSeconds: number };

/** Tells what a failed list or watch means. */
export function classifyFailure(error: unknown): WatchFailure {
  if (isExpired(error) || isTooLargeVersion(error)) return { kind: "expired" };
  // No answer at all says nothing about the version.
  if (!isApiError(error)) return { kind: "unreachable", retryAfterSeconds: 0 };
  const retryAfterSeconds = error.status.details?.retryAfterSeconds ?? 0;
  const busy = error.httpStatus === 429 || error.httpStatus >= 500;
  return { kind: busy ? "unreachable" : "other", retryAfterSeconds };
}

/** A server that was restored from a backup, or lags behind, has not reached the version asked for. */
function isTooLargeVersion(error: unknown): error is ApiError {
  return isApiError(error) && error.httpStatus === 504 && hasTooLargeCause(error.status);
}

function hasTooLargeCause(status: ApiStatus): boolean {
  return (
    status.details?.causes?.some((cause) => cause.reason === "ResourceVersionTooLarge") === true ||
    status.message?.includes("Too large resource version") === true
  );
}

/** Whether nobody answered, or the server asked to be left alone for a while: another request would fare no better. */
export function isAway(error: unknown): boolean {
  return !isApiError(error) || error.httpStatus === 429;
}

/** Whether the server refused a request because it does not know what was asked, not because it may not or cannot answer now. */
export function isNotUnderstood(error: unknown): boolean {
  return isApiError(error) && (error.httpStatus === 400 || error.httpStatus === 422);
}
