/** A queue of watch events. */
export interface EventQueue {
  push(event: unknown): void;
  end(): void;
  /** The next event; undefined after the end or on timeout. */
  next(timeoutMs: number): Promise<unknown>;
}

/** An empty queue. */
export function eventQueue(): EventQueue {
  const events: unknown[] = [];
  let ended = false;
  let wake: (() => void) | undefined;
  const signal = (): void => wake?.();
  return {
    push(event) {
      events.push(event);
      signal();
    },
    end() {
      ended = true;
      signal();
    },
    async next(timeoutMs) {
      if (events.length === 0 && !ended)
        await new Promise<void>((resolve) => {
          // A server that sends too few events must not block the run forever.
          const timer = setTimeout(resolve, timeoutMs);
          wake = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      wake = undefined;
      return events.shift();
    },
  };
}
