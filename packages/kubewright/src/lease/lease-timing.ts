import { OperatorError } from "@kubewright/core/errors";
import { type Duration, durationMs } from "@kubewright/core/meta";

/** The three times of leader election, as in client-go. */
export interface LeaseTimingOptions {
  /** How long other replicas wait after the holder's last renewal before they take over. @default "15s" */
  readonly leaseDuration?: Duration;
  /** How long after its last renewal the holder leads; it sends nothing after that. @default "10s" */
  readonly renewDeadline?: Duration;
  /** The pause between two attempts; a candidate adds a random part, up to 1.2 times as much. @default "2s" */
  readonly retryPeriod?: Duration;
}

/** The times, parsed and checked. */
export interface LeaseTiming {
  readonly leaseDurationMs: number;
  readonly renewDeadlineMs: number;
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

/** The pause of one who waits; spread, so that those who wait do not come all at once. `random` is from 0 to 1. */
export function jitteredPauseMs({ retryPeriodMs }: LeaseTiming, random: number): number {
  return retryPeriodMs * (1 + random * jitterFactor);
}

/** How long one request may take: long enough for a slow server, short enough that there is time for a second one. */
export function requestTimeoutMs({ renewDeadlineMs }: LeaseTiming): number {
  return Math.max(1_000, renewDeadlineMs / 2);
}
