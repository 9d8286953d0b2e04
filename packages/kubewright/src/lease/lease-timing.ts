import { OperatorError } from "@kubewright/core/errors";

/** The durations of leader election. */
export interface LeaseTiming {
  /** How long other candidates wait after the last observed renewal before they acquire the lease. @default 15_000 */
  readonly leaseDurationMs: number;
  /** How long the holder keeps leading without a successful renewal; nothing is sent after that. @default 10_000 */
  readonly renewDeadlineMs: number;
  /** Interval between two attempts; waiting candidates add jitter of up to 1.2 times as much. @default 2_000 */
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
  leaseDurationMs = 15_000,
  renewDeadlineMs = 10_000,
  retryPeriodMs = 2_000,
}: Partial<LeaseTiming> = {}): LeaseTiming {
  const fail = (why: string): OperatorError =>
    new OperatorError("CONFIG_INVALID", `Cannot set up leader election: ${why}`);
  for (const [name, value] of Object.entries({ leaseDurationMs, renewDeadlineMs, retryPeriodMs })) {
    if (!(value > 0 && value <= longestMs)) throw fail(`"${name}" must be above 0 and at most ${longestMs}`);
  }
  if (leaseDurationMs <= renewDeadlineMs)
    throw fail(`"leaseDurationMs" (${leaseDurationMs}) must be above "renewDeadlineMs" (${renewDeadlineMs})`);
  if (renewDeadlineMs <= retryPeriodMs * jitterFactor)
    throw fail(
      `"renewDeadlineMs" (${renewDeadlineMs}) must be above ${jitterFactor} times "retryPeriodMs" (${retryPeriodMs})`,
    );
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
