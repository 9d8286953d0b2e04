import { OperatorError } from "@kubewright/core/errors";
import { type Duration, durationMs } from "@kubewright/core/meta";

/** The durations of leader election, as in client-go. */
export interface LeaseTimingOptions {
  /** How long other candidates wait after the last observed renewal before they acquire the lease. @default "15s" */
  readonly leaseDuration?: Duration;
  /** How long the holder keeps leading without a successful renewal; nothing is sent after that. @default "10s" */
  readonly renewDeadline?: Duration;
  /** Interval between two attempts; waiting candidates add jitter of up to 1.2 times as much. @default "2s" */
  readonly retryPeriod?: Duration;
}

/** The durations, parsed and checked. */
export interface LeaseTiming {
  readonly leaseDurationMs: number;
  readonly renewDeadlineMs: number;
  readonly retryPeriodMs: number;
}

/** The maximum jitter of a waiting candidate, as a multiple of the retry period. */
const jitterFactor = 1.2;
/** leaseDurationSeconds is an int32. */
const longestMs = (2 ** 31 - 1) * 1_000;

/**
 * Applies defaults and validates: lease duration > renew deadline > 1.2 × retry period > 0.
 *
 * Throws CONFIG_INVALID otherwise: two replicas could lead at the same time if the holder led longer than the others wait.
 */
export function leaseTiming({
  leaseDuration = "15s",
  renewDeadline = "10s",
  retryPeriod = "2s",
}: LeaseTimingOptions = {}): LeaseTiming {
  const fail = (why: string): OperatorError =>
    new OperatorError("CONFIG_INVALID", `Cannot set up leader election: ${why}`);
  const checkedMs = (name: string, value: Duration): number => {
    const ms = durationMs(name, value);
    if (ms > 0 && ms <= longestMs) return ms;
    throw fail(`"${name}" must be above 0 and at most ${longestMs / 1_000}s`);
  };
  const leaseDurationMs = checkedMs("leaseDuration", leaseDuration);
  const renewDeadlineMs = checkedMs("renewDeadline", renewDeadline);
  const retryPeriodMs = checkedMs("retryPeriod", retryPeriod);
  if (leaseDurationMs <= renewDeadlineMs)
    throw fail(`"leaseDuration" (${leaseDuration}) must be above "renewDeadline" (${renewDeadline})`);
  if (renewDeadlineMs <= retryPeriodMs * jitterFactor)
    throw fail(`"renewDeadline" (${renewDeadline}) must be above ${jitterFactor} times "retryPeriod" (${retryPeriod})`);
  return { leaseDurationMs, renewDeadlineMs, retryPeriodMs };
}

/** Returns the retry period of a waiting candidate with jitter. `random` is from 0 to 1. */
export function jitteredRetryPeriodMs({ retryPeriodMs }: LeaseTiming, random: number): number {
  return retryPeriodMs * (1 + random * jitterFactor);
}

/** Returns the timeout of one request: short enough to leave time for a second one before the renew deadline. */
export function requestTimeoutMs({ renewDeadlineMs }: LeaseTiming): number {
  return Math.max(1_000, renewDeadlineMs / 2);
}
