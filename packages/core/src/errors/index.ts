/**
 * One error base, stable codes, the server's own words kept.
 *
 * @module
 */
export { ApiError, isAlreadyExists, isApiError, isConflict, isExpired, isInvalid, isNotFound } from "./api-error.js";
export { type ApiStatus, type ApiStatusCause, type ApiStatusDetails, isApiStatus } from "./api-status.js";
export { type ErrorCode, isNotControlled, isOperatorError, OperatorError } from "./operator-error.js";
