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

/** The gauge that controller-runtime has for it, in Prometheus' text form. */
export function leaderGauge(leaseName: string, leading: boolean): string {
  const name = "leader_election_master_status";
  const help = `# HELP ${name} Whether this process leads: 1, or waits: 0, per lease\n# TYPE ${name} gauge\n`;
  return `${help}${name}{name="${leaseName.replace(/[\\"\n]/g, "")}"} ${leading ? 1 : 0}\n`;
}
