import { isOperatorError, OperatorError } from "@kubewright/core/errors";

/** The shortest delay before a retry of a run that found an object of another owner: only another client can change that. */
const notControlledMs = 30_000;

/** The child is deleted again and again; it is not created before `waitMs` have passed. */
export class ChildDeletedError extends OperatorError {
  override readonly name = "ChildDeletedError";
  readonly waitMs: number;

  constructor(message: string, waitMs: number) {
    super("CHILD_DELETED", message);
    this.waitMs = waitMs;
  }
}

/** The shortest delay before a failed run is retried, by its error or one of the causes: user code wraps errors. A change starts a run before. */
export function leastRetryMs(error: Error): number {
  // A chain of causes may be a cycle.
  const seen = new Set<unknown>();
  for (let cause: unknown = error; cause instanceof Error && !seen.has(cause); cause = cause.cause) {
    if (cause instanceof ChildDeletedError) return cause.waitMs;
    if (isOperatorError(cause) && cause.code === "NOT_CONTROLLED") return notControlledMs;
    seen.add(cause);
  }
  return 0;
}
