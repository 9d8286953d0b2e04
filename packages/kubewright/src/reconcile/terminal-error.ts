import { isOperatorError, OperatorError } from "@kubewright/core/errors";

/**
 * Thrown from `reconcile` when a retry cannot help, for instance because the spec asks for something impossible.
 *
 * The key is not retried; the next change of the object or of its children reconciles it again.
 *
 * @example
 * if (!regions.has(object.spec.region)) throw new TerminalError(`Cannot create bucket: unknown region "${object.spec.region}"`);
 */
export class TerminalError extends OperatorError {
  override readonly name = "TerminalError";

  constructor(message: string, options?: ErrorOptions) {
    super("RECONCILE_TERMINAL", message, options);
  }
}

/** Tells whether an error says that trying again cannot help, of whatever copy of the package. */
export function isTerminalError(error: unknown): error is TerminalError {
  return isOperatorError(error) && error.code === "RECONCILE_TERMINAL";
}
