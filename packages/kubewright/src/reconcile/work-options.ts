import type { RateLimit } from "@kubewright/core/clock";
import { OperatorError } from "@kubewright/core/errors";
import { type Duration, durationMs } from "@kubewright/core/meta";

/** How a controller works through its keys. */
export interface WorkOptions {
  /**
   * Reconciles everything again once per period, such as `"10h"`, from what the caches hold: its own objects, the owners of children, and
   * what watched objects lead to, as if each had been updated. Predicates that ask for a difference drop it. @default never
   */
  readonly resync?: Duration;
  /** How many keys are reconciled at the same time. @default 1 */
  readonly workers?: number;
  /** How long a key waits after its first failure, and at most; the time doubles with each. @default 5 ms, and 1,000 s */
  readonly backoff?: { readonly first?: Duration; readonly max?: Duration };
  /** Limits the retries of all keys together, beside the backoff of each. None where it is left out. */
  readonly retryLimit?: RateLimit;
  /**
   * Lets keys wait until all else that can be done in the same turn of the event loop is done: many changes that come together make one run instead
   * of one each. For controllers that count or sum up. @default false
   *
   * @experimental
   */
  readonly gather?: boolean;
  /** After this time, such as `"5m"`, a run's signal aborts. None where it is left out. */
  readonly timeout?: Duration;
  /**
   * Works in every replica on all its keys, whoever leads and however the work is shared: for what lives in the process, such as a table in its
   * memory. Its requests are not fenced. @default false
   */
  readonly onEveryReplica?: boolean;
}

/** The options, complete and checked. */
export interface WorkSettings {
  readonly resyncMs: number | undefined;
  readonly workers: number;
  readonly backoff: { readonly firstMs: number; readonly maxMs: number };
  readonly retryLimit: RateLimit | undefined;
  readonly gather: boolean;
  readonly timeoutMs: number | undefined;
  readonly onEveryReplica: boolean;
}

/** Completes and checks the options. Throws CONFIG_INVALID when they make no sense. */
export function workSettings(name: string, options: WorkOptions): WorkSettings {
  const fail = (why: string) => new OperatorError("CONFIG_INVALID", `Cannot make controller "${name}": ${why}`);
  const { workers = 1, backoff = {}, retryLimit, gather = false, onEveryReplica = false } = options;
  if (!Number.isInteger(workers) || workers < 1) throw fail("`workers` must be a whole number above zero");
  const resyncMs = options.resync === undefined ? undefined : durationMs("resync", options.resync);
  if (resyncMs !== undefined && resyncMs < 1_000) throw fail("`resync` must be at least 1s");
  const firstMs = durationMs("backoff.first", backoff.first ?? "5ms");
  const maxMs = durationMs("backoff.max", backoff.max ?? "1000s");
  if (!(firstMs > 0 && firstMs <= maxMs)) throw fail("`backoff` must begin above zero and not above its maximum");
  const timeoutMs = options.timeout === undefined ? undefined : durationMs("timeout", options.timeout);
  return { resyncMs, workers, backoff: { firstMs, maxMs }, retryLimit, gather, timeoutMs, onEveryReplica };
}
