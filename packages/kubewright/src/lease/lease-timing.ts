import { OperatorError } from "@kubewright/core/errors";

/** The three times of leader election. */
export interface LeaseTiming {
  /** How long others wait after the holder's last sign before they take over. @default 15_000 */
  readonly leaseDurationMs: number;
  /** How long after its last renewal the holder leads; nothing is sent after that. @default 10_000 */
  readonly renewDeadlineMs: number;
  /** How long between two attempts; those who wait add a random part, up to 1.2 times as much. @default 2_000 */
  readonly retryPeriodMs: number;
}

/** How much longer than the retry period a pause of those who wait may be, as a share of it. */
const jitterFactor = 1.2;
/** A Lease holds its duration as a 32-bit number of seconds. */
const longestMs = (2 ** 31 - 1) * 1_000;

/**
 * Completes the times by their defaults and checks them: lease > renew deadline > 1.2 × retry period > 0.
 *
 * Throws CONFIG_INVALID otherwise: a holder that may lead longer than others wait is no leader.
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

/** The pause of one who waits; spread, so that those who wait do not come all at once. `random` is from 0 to 1. */
export function jitteredPauseMs({ retryPeriodMs }: LeaseTiming, random: number): number {
  return retryPeriodMs * (1 + random * jitterFactor);
}

/** How long one request may take: long enough for a slow server, short enough that there is time for a second one. */
export function requestTimeoutMs({ renewDeadlineMs }: LeaseTiming): number {
  return Math.max(1_000, renewDeadlineMs / 2);
}
