import type { ApiStatus, ApiStatusCause } from "./api-status.js";
import { type ErrorCode, isOperatorError, OperatorError } from "./operator-error.js";

/** A failed response of an API server, with its `Status`. */
export class ApiError extends OperatorError {
  override readonly name = "ApiError";
  /** The HTTP status code. */
  readonly httpStatus: number;
  readonly status: ApiStatus;

  constructor(httpStatus: number, message: string, status: ApiStatus, options?: ErrorOptions) {
    super(codeOf(httpStatus, status.reason), message, options);
    this.httpStatus = httpStatus;
    this.status = status;
  }

  /** The reason of the `Status`, for instance `NotFound`; undefined if it has none. */
  get reason(): string | undefined {
    return this.status.reason;
  }

  /** The causes of the `Status`, for instance one per invalid field; empty if it has none. */
  get causes(): readonly ApiStatusCause[] {
    return this.status.details?.causes ?? [];
  }

  /** Seconds to wait before the next attempt; undefined if the server requests no delay. */
  get retryAfterSeconds(): number | undefined {
    return this.status.details?.retryAfterSeconds;
  }
}

function codeOf(httpStatus: number, reason: string | undefined): ErrorCode {
  switch (httpStatus) {
    case 400:
      return "API_BAD_REQUEST";
    case 401:
      return "API_UNAUTHORIZED";
    case 403:
      return "API_FORBIDDEN";
    case 404:
      return "API_NOT_FOUND";
    case 405:
      return "API_METHOD_NOT_ALLOWED";
    case 409:
      return reason === "AlreadyExists" ? "API_ALREADY_EXISTS" : "API_CONFLICT";
    case 410:
      return "API_EXPIRED";
    case 413:
      return "API_TOO_LARGE";
    case 415:
      return "API_UNSUPPORTED_MEDIA_TYPE";
    case 422:
      return "API_INVALID";
    case 429:
      return "API_TOO_MANY_REQUESTS";
    case 503:
      return "API_UNAVAILABLE";
    case 504:
      return "API_TIMEOUT";
    default:
      return httpStatus >= 500 ? "API_INTERNAL" : "API_OTHER";
  }
}

/** Whether an error is an {@link ApiError}, of this or of another copy of the package. */
export function isApiError(error: unknown): error is ApiError {
  return isOperatorError(error) && error.code.startsWith("API_") && "status" in error;
}

/** The object or the resource does not exist. */
export function isNotFound(error: unknown): error is ApiError {
  return isApiError(error) && error.code === "API_NOT_FOUND";
}

/** The object changed since it was read, or another field manager owns a field. */
export function isConflict(error: unknown): error is ApiError {
  return isApiError(error) && error.code === "API_CONFLICT";
}

/** An object with that name already exists. */
export function isAlreadyExists(error: unknown): error is ApiError {
  return isApiError(error) && error.code === "API_ALREADY_EXISTS";
}

/** The resourceVersion has been compacted: relist. */
export function isExpired(error: unknown): error is ApiError {
  return isApiError(error) && error.code === "API_EXPIRED";
}

/** The object failed validation. */
export function isInvalid(error: unknown): error is ApiError {
  return isApiError(error) && error.code === "API_INVALID";
}

/** The request is malformed. */
export function isBadRequest(error: unknown): error is ApiError {
  return isApiError(error) && error.code === "API_BAD_REQUEST";
}

/** The request is not authenticated. */
export function isUnauthorized(error: unknown): error is ApiError {
  return isApiError(error) && error.code === "API_UNAUTHORIZED";
}

/** The user is not authorized, or admission rejected the request. */
export function isForbidden(error: unknown): error is ApiError {
  return isApiError(error) && error.code === "API_FORBIDDEN";
}

/** The resource does not support this verb. */
export function isMethodNotAllowed(error: unknown): error is ApiError {
  return isApiError(error) && error.code === "API_METHOD_NOT_ALLOWED";
}

/** The request exceeds the server's size limit. */
export function isTooLarge(error: unknown): error is ApiError {
  return isApiError(error) && error.code === "API_TOO_LARGE";
}

/** The server does not support the media type of the body, for instance this patch type for this kind. */
export function isUnsupportedMediaType(error: unknown): error is ApiError {
  return isApiError(error) && error.code === "API_UNSUPPORTED_MEDIA_TYPE";
}

/** The server asks to retry later; for an eviction, a PodDisruptionBudget does not allow it now. */
export function isTooManyRequests(error: unknown): error is ApiError {
  return isApiError(error) && error.code === "API_TOO_MANY_REQUESTS";
}

/** The request timed out. The server may still complete it. */
export function isTimeout(error: unknown): error is ApiError {
  return isApiError(error) && error.code === "API_TIMEOUT";
}

/**
 * The server could not process the request now and asks to retry: reason `ServerTimeout`, with HTTP status 500.
 *
 * Unlike {@link isTimeout}, nothing was changed.
 */
export function isServerTimeout(error: unknown): error is ApiError {
  return isApiError(error) && error.status.reason === "ServerTimeout";
}

/** The server, or a server behind it, is not ready. */
export function isUnavailable(error: unknown): error is ApiError {
  return isApiError(error) && error.code === "API_UNAVAILABLE";
}

/** Internal error of the server. */
export function isInternal(error: unknown): error is ApiError {
  return isApiError(error) && error.code === "API_INTERNAL";
}

/**
 * The cause with this reason; undefined if there is none, or if the error is not an {@link ApiError}.
 *
 * @example
 * causeOf(error, "DisruptionBudget")?.message // why a Pod may not be evicted now
 */
export function causeOf(error: unknown, reason: string): ApiStatusCause | undefined {
  if (!isApiError(error)) return undefined;
  return error.status.details?.causes?.find((cause) => cause.reason === reason);
}
