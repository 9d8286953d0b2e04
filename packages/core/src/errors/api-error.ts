import type { ApiStatus, ApiStatusCause } from "./api-status.js";
import { type ErrorCode, isOperatorError, OperatorError } from "./operator-error.js";

/** An answer of an API server that is not a success. Carries the server's own `Status`. */
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

  /** The server's reason in one word, for instance `NotFound`; undefined where it gave none. */
  get reason(): string | undefined {
    return this.status.reason;
  }

  /** What exactly is wrong, for instance one entry per invalid field; empty where the server gave none. */
  get causes(): readonly ApiStatusCause[] {
    return this.status.details?.causes ?? [];
  }

  /** How long the server asks to wait before the next attempt; undefined where it does not ask. */
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

/** Tells whether an error is an answer of an API server, of whatever copy of the package. */
export function isApiError(error: unknown): error is ApiError {
  return isOperatorError(error) && error.code.startsWith("API_") && "status" in error;
}

/** The object or the resource is not there. */
export function isNotFound(error: unknown): error is ApiError {
  return isApiError(error) && error.code === "API_NOT_FOUND";
}

/** The object changed since it was read, or another field manager owns a field. */
export function isConflict(error: unknown): error is ApiError {
  return isApiError(error) && error.code === "API_CONFLICT";
}

/** An object of that name is there already. */
export function isAlreadyExists(error: unknown): error is ApiError {
  return isApiError(error) && error.code === "API_ALREADY_EXISTS";
}

/** The resource version left the server's history: only a fresh list helps. */
export function isExpired(error: unknown): error is ApiError {
  return isApiError(error) && error.code === "API_EXPIRED";
}

/** The object breaks a rule of its schema. */
export function isInvalid(error: unknown): error is ApiError {
  return isApiError(error) && error.code === "API_INVALID";
}

/** The server could not make sense of the request. */
export function isBadRequest(error: unknown): error is ApiError {
  return isApiError(error) && error.code === "API_BAD_REQUEST";
}

/** The server does not know who asks. */
export function isUnauthorized(error: unknown): error is ApiError {
  return isApiError(error) && error.code === "API_UNAUTHORIZED";
}

/** The server knows who asks, and does not allow it. */
export function isForbidden(error: unknown): error is ApiError {
  return isApiError(error) && error.code === "API_FORBIDDEN";
}

/** The resource does not have this verb. */
export function isMethodNotAllowed(error: unknown): error is ApiError {
  return isApiError(error) && error.code === "API_METHOD_NOT_ALLOWED";
}

/** The request is larger than the server takes. */
export function isTooLarge(error: unknown): error is ApiError {
  return isApiError(error) && error.code === "API_TOO_LARGE";
}

/** The server does not take a body of this type, for instance this language of patches for this kind. */
export function isUnsupportedMediaType(error: unknown): error is ApiError {
  return isApiError(error) && error.code === "API_UNSUPPORTED_MEDIA_TYPE";
}

/** The server asks to come back later; for an eviction, a disruption budget does not allow it now. */
export function isTooManyRequests(error: unknown): error is ApiError {
  return isApiError(error) && error.code === "API_TOO_MANY_REQUESTS";
}

/** The server did not get it done in time. It may still happen. */
export function isTimeout(error: unknown): error is ApiError {
  return isApiError(error) && error.code === "API_TIMEOUT";
}

/**
 * The server could not do it now, and asks to try again: Kubernetes' reason `ServerTimeout`, which travels with status 500.
 *
 * Unlike with {@link isTimeout} nothing was done.
 */
export function isServerTimeout(error: unknown): error is ApiError {
  return isApiError(error) && error.status.reason === "ServerTimeout";
}

/** The server, or one behind it, is not ready. */
export function isUnavailable(error: unknown): error is ApiError {
  return isApiError(error) && error.code === "API_UNAVAILABLE";
}

/** The server itself failed. */
export function isInternal(error: unknown): error is ApiError {
  return isApiError(error) && error.code === "API_INTERNAL";
}

/**
 * The cause with this reason among those that the server gave; undefined where there is none, or the error is another.
 *
 * @example
 * causeOf(error, "DisruptionBudget")?.message // why a Pod may not be evicted now
 */
export function causeOf(error: unknown, reason: string): ApiStatusCause | undefined {
  if (!isApiError(error)) return undefined;
  return error.status.details?.causes?.find((cause) => cause.reason === reason);
}
