/**
 * Errors and the predicates that tell them apart.
 *
 * @module
 */
export {
  ApiError,
  type ApiStatus,
  causeOf,
  type ErrorCode,
  isAlreadyExists,
  isApiError,
  isBadRequest,
  isConflict,
  isExpired,
  isForbidden,
  isInternal,
  isInvalid,
  isLeaseLost,
  isMethodNotAllowed,
  isNotControlled,
  isNotFound,
  isOperatorError,
  isServerTimeout,
  isTimeout,
  isTooLarge,
  isTooManyRequests,
  isUnauthorized,
  isUnavailable,
  isUnsupportedMediaType,
  OperatorError,
} from "@kubewright/core/errors";
