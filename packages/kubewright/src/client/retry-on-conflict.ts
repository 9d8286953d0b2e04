import { type Clock, sleep, systemClock } from "@kubewright/core/clock";
import { isConflict } from "@kubewright/core/errors";
import { type Duration, durationMs } from "@kubewright/core/meta";

/** Attempts and backoff. The defaults are client-go's `retry.DefaultRetry`. */
export interface RetryOnConflictOptions {
  /** The number of attempts. @default 5 */
  readonly attempts?: number;
  /** The first delay. @default "10ms" */
  readonly first?: Duration;
  /** Multiplies the delay after each attempt. @default 1 */
  readonly factor?: number;
  /** The random share that is added to a delay. @default 0.1 */
  readonly jitter?: number;
  /** Ends the retries; the call then rejects with the signal's reason. */
  readonly signal?: AbortSignal;
  /** Measures the delays. @default the machine's time */
  readonly clock?: Clock;
  /** Between 0 and 1. @default Math.random */
  readonly random?: () => number;
}

/**
 * Retries `attempt` while it fails with a conflict (409). `attempt` must read the object again each time.
 *
 * Returns the first success. Throws any other error at once, the conflict of the last attempt, and the signal's reason on abort.
 *
 * @example
 * await retryOnConflict(async () => {
 *   const { metadata, data } = await client.get(ConfigMap, "settings");
 *   await client.update(ConfigMap, { metadata, data: { ...data, mode: "fast" } });
 * });
 */
export async function retryOnConflict<T>(attempt: () => Promise<T>, options: RetryOnConflictOptions = {}): Promise<T> {
  const { attempts = 5, first = "10ms", factor = 1, jitter = 0.1, signal, clock = systemClock } = options;
  const { random = Math.random } = options;
  for (let count = 1, pauseMs = durationMs("first", first); ; count++, pauseMs *= factor) {
    signal?.throwIfAborted();
    try {
      return await attempt();
    } catch (error) {
      if (!isConflict(error) || count >= attempts) throw error;
    }
    await sleep(clock, pauseMs * (1 + jitter * random()), signal);
  }
}
