import type { ApiStatus } from "./api-status.js";
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
