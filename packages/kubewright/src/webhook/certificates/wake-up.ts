import type { Clock } from "@kubewright/core/clock";

/** Waits for a time or for a call, whichever is first. A call while nothing waits ends the next wait at once. */
export class WakeUp {
  readonly #clock: Clock;
  readonly #signal: AbortSignal;
  #isCalled = false;
  #end: (() => void) | undefined;

  constructor(clock: Clock, signal: AbortSignal) {
    this.#clock = clock;
    this.#signal = signal;
  }

  /** Whether it waits. */
  get isWaiting(): boolean {
    return this.#end !== undefined;
  }

  /** Ends the current wait, or the next one. */
  call(): void {
    this.#isCalled = true;
    this.#end?.();
  }

  /** Resolves after `ms`, on a call, or on abort; and after `resyncMs`, by a timer for which virtual time does not stop. */
  wait(ms: number, resyncMs: number): Promise<void> {
    return new Promise((resolve) => {
      const end = (): void => {
        for (const timer of timers) timer.cancel();
        this.#signal.removeEventListener("abort", end);
        this.#end = undefined;
        this.#isCalled = false;
        resolve();
      };
      const timers = [this.#clock.startTimer(ms, end), this.#clock.startTimer(resyncMs, end, { background: true })];
      this.#end = end;
      this.#signal.addEventListener("abort", end);
      if (this.#isCalled || this.#signal.aborted) end();
    });
  }
}
