/**
 * Errors with stable codes, and the `Status` of failed API requests.
 *
 * @module
 */
export {
  ApiError,
  causeOf,
  isAlreadyExists,
  isApiError,
  isBadRequest,
  isConflict,
  isExpired,
  isForbidden,
  isInternal,
  isInvalid,
  isMethodNotAllowed,
  isNotFound,
  isServerTimeout,
  isTimeout,
  isTooLarge,
  isTooManyRequests,
  isUnauthorized,
  isUnavailable,
  isUnsupportedMediaType,
} from "./api-error.js";
export { type ApiStatus, type ApiStatusCause, type ApiStatusDetails, isApiStatus } from "./api-status.js";
export { type ErrorCode, isLeaseLost, isNotControlled, isOperatorError, OperatorError } from "./operator-error.js";
