import type { Clock } from "./clock.js";

/** Resolves after `ms` by `clock`, or as soon as `signal` aborts; never rejects. */
export function sleep(clock: Clock, ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve();
    const wake = (): void => {
      timer.cancel();
      signal?.removeEventListener("abort", wake);
      resolve();
    };
    const timer = clock.startTimer(ms, wake);
    signal?.addEventListener("abort", wake, { once: true });
  });
}
