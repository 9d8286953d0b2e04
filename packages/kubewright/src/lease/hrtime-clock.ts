import { type Clock, systemClock } from "@kubewright/core/clock";

/**
 * The machine's time, with a monotonic time that all threads of a process share; that of `systemClock` begins anew in each thread.
 *
 * It goes on while the process is stopped. While the machine sleeps it may stand still: see docs/decisions/0006-leases.md.
 */
export const hrtimeClock: Clock = {
  now: () => systemClock.now(),
  monotonic: () => Number(process.hrtime.bigint() / 1_000n) / 1_000,
  startTimer: (delayMs, callback) => systemClock.startTimer(delayMs, callback),
};
