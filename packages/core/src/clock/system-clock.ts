import type { Clock } from "./clock.js";

/** Longest delay that Node's timers take; a longer one would fire at once. */
const maxTimerMs = 2 ** 31 - 1;

/** The machine's own time. The only place where Kubewright reads it. */
export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  startTimer(delayMs, callback) {
    let handle: NodeJS.Timeout;
    const arm = (leftMs: number): void => {
      handle =
        leftMs > maxTimerMs ? setTimeout(() => arm(leftMs - maxTimerMs), maxTimerMs) : setTimeout(callback, leftMs);
    };
    arm(delayMs);
    return { cancel: () => clearTimeout(handle) };
  },
};
