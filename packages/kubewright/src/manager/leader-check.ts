import type { HealthCheck } from "./health-checks.js";
import type { RunningOperator } from "./running-operator.js";

/**
 * Fails after the renew deadline: the process no longer leads, should have exited, and has not.
 *
 * A waiting replica, and one that renews late but in time, are healthy: a restart would not help.
 */
export function leaderCheck(running: () => RunningOperator | undefined): HealthCheck {
  return () => running()?.lost.throwIfAborted();
}
