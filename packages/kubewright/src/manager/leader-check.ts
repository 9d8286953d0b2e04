import type { HealthCheck } from "./health-checks.js";
import type { RunningOperator } from "./running-operator.js";

/**
 * Fails from the renew deadline on: the process leads no more, should have ended, and has not.
 *
 * One who waits, and one who renews late but in time, are healthy: a restart would only make it worse.
 */
export function leaderCheck(running: () => RunningOperator | undefined): HealthCheck {
  return () => running()?.lost.throwIfAborted();
}
