import type { Clock } from "./clock.js";

/** Longest delay of Node's timers; a longer one would fire immediately. */
const maxTimerMs = 2 ** 31 - 1;

/** The system clock. Kubewright reads the system time only here. */
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
