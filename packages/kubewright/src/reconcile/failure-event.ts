import type { AnyController } from "./cached-kinds.js";
import type { Run } from "./run.js";

/** The first two failures are often a conflict or a cache that lags behind. */
const firstReported = 3;

/**
 * Records a Warning event about the object of a run that failed, for `kubectl describe`: from the third failure in a row on, at once for an error that is
 * not retried. The recorder counts repeated ones and limits their rate.
 */
export function recordFailure({ services, object, verb }: Run<AnyController>, error: Error, failures: number): void {
  const { controller, recorder, failureEvents } = services;
  if (!failureEvents || controller.kind === undefined || object === undefined || failures < firstReported) return;
  const [reason, action] = verb === "finalize" ? ["FinalizeFailed", "Finalize"] : ["ReconcileFailed", "Reconcile"];
  recorder.record(controller.kind, object, { type: "Warning", reason, action, note: error.message });
}
