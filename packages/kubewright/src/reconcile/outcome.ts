import { isOperatorError, OperatorError } from "@kubewright/core/errors";
import { type Duration, durationMs } from "@kubewright/core/meta";
import { isTerminalError } from "./terminal-error.js";

/** The result of a run, which decides what happens to its key. */
export type Outcome =
  /** Wait for the next change. */
  | { readonly kind: "done" }
  /** Run again after a delay, or at the next change. */
  | { readonly kind: "requeue"; readonly afterMs: number; readonly priority?: number }
  /** Retry with exponential backoff. */
  | { readonly kind: "retry"; readonly error: Error }
  /** A retry cannot help: wait for the next change. */
  | { readonly kind: "terminal"; readonly error: Error };

/** By `Symbol.for`: two copies of the package in one program must work. */
const requeued: unique symbol = Symbol.for("kubewright.RequeueAfter");

/** What `requeueAfter` returns, to be returned from `reconcile`. Only `requeueAfter` can make one. */
export interface RequeueAfter {
  readonly [requeued]: object;
}

/** Options of `requeueAfter`. */
export interface RequeueOptions {
  /**
   * The priority of the next run, an integer: higher first. Changes have 0; the first run after a start and a resync have -100.
   * @default the priority of this run
   */
  readonly priority?: number;
}

/** What `reconcile` and `finalize` may return: nothing, or what `requeueAfter` returned. */
// biome-ignore lint/suspicious/noConfusingVoidType: a function that returns nothing on some paths is what users write
export type ReconcileReturn = RequeueAfter | undefined | void;

/** The delay that a run asks for, such as `"30s"`; zero means at once. Throws CONFIG_INVALID for what is no duration. */
export function requeueAfterOf(delay: Duration | 0, { priority }: RequeueOptions = {}): RequeueAfter {
  const afterMs = delay === 0 ? 0 : durationMs("requeueAfter", delay);
  if (priority === undefined) return { [requeued]: { kind: "requeue", afterMs } };
  if (Number.isSafeInteger(priority)) return { [requeued]: { kind: "requeue", afterMs, priority } };
  throw new OperatorError("CONFIG_INVALID", `Cannot requeue with priority ${priority}: it must be an integer`);
}

/** The outcome of a run that returned; undefined where it returned nothing that `requeueAfter` made. */
export function requeueOf(returned: unknown): Outcome | undefined {
  if (typeof returned !== "object" || returned === null || !(requeued in returned)) return undefined;
  return (returned as RequeueAfter)[requeued] as Outcome;
}

/** The outcome of a run that threw. */
export function failed(thrown: unknown): Outcome {
  const error = asError(thrown);
  return { kind: hasTerminalCause(error) ? "terminal" : "retry", error };
}

/** Whether an error or one of its causes is terminal: user code wraps errors. */
function hasTerminalCause(error: unknown): boolean {
  // A chain of causes may be a cycle.
  const seen = new Set<unknown>();
  for (let cause = error; cause instanceof Error && !seen.has(cause); cause = cause.cause) {
    if (isTerminalError(cause)) return true;
    seen.add(cause);
  }
  return isTerminalError(error);
}

/** JavaScript can throw any value; only errors have a stack and a message. */
function asError(thrown: unknown): Error {
  if (thrown instanceof Error || isOperatorError(thrown)) return thrown as Error;
  let text: string;
  try {
    text = String(thrown);
  } catch {
    text = "a value that cannot be printed";
  }
  return new OperatorError(
    "NOT_SUPPORTED",
    `Cannot report why the run failed: it threw a value that is not an Error: ${text.slice(0, 200)}`,
    {
      cause: thrown,
    },
  );
}
