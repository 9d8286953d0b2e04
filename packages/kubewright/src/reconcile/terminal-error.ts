import { isOperatorError, OperatorError } from "@kubewright/core/errors";

/**
 * Thrown from `reconcile` when trying again cannot help, for instance because the object asks for something impossible.
 *
 * The key is not retried; the next change of the object or of its children runs it again.
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
