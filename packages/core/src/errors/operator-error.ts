/** The stable code of an {@link OperatorError}, documented in `docs/reference/errors.md`. */
export type ErrorCode =
  | "API_BAD_REQUEST"
  | "API_UNAUTHORIZED"
  | "API_FORBIDDEN"
  | "API_NOT_FOUND"
  | "API_METHOD_NOT_ALLOWED"
  | "API_ALREADY_EXISTS"
  | "API_CONFLICT"
  | "API_EXPIRED"
  | "API_INVALID"
  | "API_TOO_LARGE"
  | "API_UNSUPPORTED_MEDIA_TYPE"
  | "API_TOO_MANY_REQUESTS"
  | "API_TIMEOUT"
  | "API_UNAVAILABLE"
  | "API_INTERNAL"
  | "API_OTHER"
  | "TRANSPORT_FAILED"
  | "CONFIG_INVALID"
  | "DEFINITION_INVALID"
  | "CONVERSION_FAILED"
  | "NOT_SUPPORTED"
  | "NOT_CONTROLLED"
  | "OWNER_GONE"
  | "CHILD_DELETED"
  | "RECONCILE_TERMINAL"
  | "RECONCILE_TIMEOUT"
  | "RECONCILE_ENDED"
  | "WAIT_TIMEOUT"
  | "EXEC_FAILED"
  | "LEASE_LOST"
  | "STOPPED"
  | "NOT_SETTLED"
  | "PERMISSIONS_DIFFER"
  | "CLUSTER_START_FAILED"
  | "STORAGE_FAILED"
  | "STORAGE_UNAVAILABLE";

/** A registered symbol, not the class, so that two copies of the package in one process recognise each other's errors. */
const brand: unique symbol = Symbol.for("kubewright.OperatorError") as never;

/** Base class of Kubewright's errors. */
export class OperatorError extends Error {
  override readonly name: string = "OperatorError";
  readonly code: ErrorCode;
  readonly [brand] = true;

  constructor(code: ErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** Whether a value is an {@link OperatorError}, of this or of another copy of the package. */
export function isOperatorError(error: unknown): error is OperatorError {
  return typeof error === "object" && error !== null && brand in error;
}

/** The object exists and another owner controls it. */
export function isNotControlled(error: unknown): error is OperatorError {
  return isOperatorError(error) && error.code === "NOT_CONTROLLED";
}

/** The process lost its lease, and another one may lead. It must not write any more and should exit. */
export function isLeaseLost(error: unknown): error is OperatorError {
  return isOperatorError(error) && error.code === "LEASE_LOST";
}
