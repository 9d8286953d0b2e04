import { type Clock, sleep, systemClock } from "@kubewright/core/clock";
import { isConflict } from "@kubewright/core/errors";
import { type Duration, durationMs } from "@kubewright/core/meta";

/** How often something is tried, and how long it is waited for in between. The defaults are those of client-go. */
export interface RetryOnConflictOptions {
  /** How often it is tried in all. @default 5 */
  readonly attempts?: number;
  /** The first delay. @default "10ms" */
  readonly first?: Duration;
  /** By how much each pause is longer than the one before. @default 1 */
  readonly factor?: number;
  /** The share of a pause that chance may add. @default 0.1 */
  readonly jitter?: number;
  /** Ends the retries; the call then rejects with the signal's reason. */
  readonly signal?: AbortSignal;
  /** @default the machine's time */
  readonly clock?: Clock;
  /** Between 0 and 1. @default Math.random */
  readonly random?: () => number;
}

/**
 * Tries something again while it fails because an object changed since it was read. `attempt` must read the object anew each time.
 *
 * Gives what the first success gives; throws any other error at once, the conflict of the last attempt, and the signal's reason on abort.
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
