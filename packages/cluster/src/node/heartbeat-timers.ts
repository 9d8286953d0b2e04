import type { Clock, Timer } from "@kubewright/core/clock";

/**
 * The timers of periodic heartbeats by node. They run in the background: virtual time does not stop for them, so that months without other timers pass at
 * once, and a heartbeat is sent wherever time stops.
 */
export class HeartbeatTimers {
  readonly #timers = new Map<string, Timer>();
  readonly #due = new Set<string>();
  #wake: () => void = () => {};

  /** Replaces the timer of a node. */
  start(clock: Clock, node: string, delayMs: number): void {
    this.stop(node);
    const due = (): void => {
      this.#due.add(node);
      this.#wake();
    };
    this.#timers.set(node, clock.startTimer(delayMs, due, { background: true }));
  }

  stop(node: string): void {
    this.#timers.get(node)?.cancel();
    this.#timers.delete(node);
  }

  /** The nodes whose timers fire, until the signal aborts, which cancels all timers. */
  async *due(signal: AbortSignal): AsyncGenerator<{ readonly name: string }, void> {
    signal.addEventListener("abort", () => this.#wake(), { once: true });
    while (!signal.aborted) {
      for (const name of this.#due) {
        this.#due.delete(name);
        yield { name };
      }
      if (this.#due.size === 0 && !signal.aborted) {
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
      }
    }
    for (const node of this.#timers.keys()) this.stop(node);
  }
}
