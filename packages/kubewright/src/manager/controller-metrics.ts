import type { OperatorMetrics, ReconcileResult } from "../metrics/index.js";
import type { AnyController, ControllerLoopOptions, Outcome } from "../reconcile/index.js";

/** Connects the observers of a controller to its metrics. */
export function metricsHooks(
  controller: AnyController,
  metrics: OperatorMetrics | undefined,
): Pick<ControllerLoopOptions, "queueObserver" | "reconcileObserver"> {
  if (metrics === undefined) return {};
  const series = metrics.controller(controller.name, controller.workers);
  return {
    queueObserver: series.queueObserver,
    reconcileObserver: {
      started: () => series.runStarted(),
      fieldConflict: ({ kind, manager }) => series.fieldConflict(kind, manager),
      timedOut: () => series.runTimedOut(),
      eventDropped: () => series.eventDropped(),
      mappingFailed: (kind) => series.mappingFailed(kind),
      finished: (_, { outcome, durationMs }) => {
        series.runEnded(resultOf(outcome), durationMs / 1_000, { terminal: outcome.kind === "terminal" });
      },
    },
  };
}

function resultOf(outcome: Outcome): ReconcileResult {
  switch (outcome.kind) {
    case "done":
      return "success";
    case "requeue":
      return "requeue_after";
    case "retry":
    case "terminal":
      return "error";
    default:
      return outcome satisfies never;
  }
}
