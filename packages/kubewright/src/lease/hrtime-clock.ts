import { type Clock, systemClock } from "@kubewright/core/clock";

/**
 * The system clock, with a monotonic time that all threads of the process share; `systemClock.monotonic` starts at zero in each thread.
 *
 * It advances while the process is stopped. It may not advance while the machine is suspended: see docs/decisions/0006-leases.md.
 */
export const hrtimeClock: Clock = {
  now: () => systemClock.now(),
  monotonic: () => Number(process.hrtime.bigint() / 1_000n) / 1_000,
  startTimer: (delayMs, callback) => systemClock.startTimer(delayMs, callback),
};
