import type { RateLimit } from "@kubewright/core/clock";
import { OperatorError } from "@kubewright/core/errors";
import { type Duration, durationMs } from "@kubewright/core/meta";

/** A run that failed, and is to be retried. */
export interface FailedRun {
  readonly key: string;
  /** How often it failed in a row, this time included. */
  readonly failures: number;
  readonly error: Error;
}

/** Chooses the delay before a retry. */
export type RetryDelay = (failed: FailedRun) => Duration;

/** How a controller processes its keys. */
export interface WorkOptions {
  /**
   * Reconciles everything again once per period, such as `"10h"`, from the caches: its own objects, the owners of children, and the targets of
   * watched objects, as if each had been updated. Predicates that compare old and new drop it. @default never
   */
  readonly resync?: Duration;
  /** How many keys are reconciled at the same time. @default 1 */
  readonly workers?: number;
  /** Exponential backoff per key: the delay after the first failure, and the maximum. @default 5ms and 1000s, as in controller-runtime */
  readonly backoff?: { readonly first?: Duration; readonly max?: Duration };
  /**
   * Chooses the delay before each retry instead of the exponential backoff, for instance by the error. Where it throws, which is logged, the backoff applies.
   * @default exponential backoff
   */
  readonly retryDelay?: RetryDelay;
  /** Limits the retries of all keys together, beside the backoff of each. @default no limit */
  readonly retryLimit?: RateLimit;
  /**
   * Defers keys to the end of the current turn of the event loop, so that a burst of changes makes one run. For controllers that count or aggregate.
   * @default false
   *
   * @experimental
   */
  readonly gather?: boolean;
  /** Aborts the signal of a run after this time, such as `"5m"`. @default no timeout */
  readonly timeout?: Duration;
  /**
   * Runs in every replica for all keys, regardless of leader election and sharding: for state in the process, such as a table in memory. Its requests
   * are not fenced. @default false
   */
  readonly onEveryReplica?: boolean;
}

/** The options, complete and checked. */
export interface WorkSettings {
  readonly resyncMs: number | undefined;
  readonly workers: number;
  readonly backoff: { readonly firstMs: number; readonly maxMs: number };
  readonly retryDelay: RetryDelay | undefined;
  readonly retryLimit: RateLimit | undefined;
  readonly gather: boolean;
  readonly timeoutMs: number | undefined;
  readonly onEveryReplica: boolean;
}

/** Completes and checks the options. Throws CONFIG_INVALID when they make no sense. */
export function workSettings(name: string, options: WorkOptions): WorkSettings {
  const fail = (why: string) => new OperatorError("CONFIG_INVALID", `Cannot make controller "${name}": ${why}`);
  const { workers = 1, backoff = {}, retryDelay, retryLimit, gather = false, onEveryReplica = false } = options;
  if (!Number.isInteger(workers) || workers < 1) throw fail("`workers` must be a whole number above zero");
  const resyncMs = options.resync === undefined ? undefined : durationMs("resync", options.resync);
  if (resyncMs !== undefined && resyncMs < 1_000) throw fail("`resync` must be at least 1s");
  const firstMs = durationMs("backoff.first", backoff.first ?? "5ms");
  const maxMs = durationMs("backoff.max", backoff.max ?? "1000s");
  if (!(firstMs > 0 && firstMs <= maxMs)) throw fail("`backoff.first` must be above zero and not above `backoff.max`");
  const timeoutMs = options.timeout === undefined ? undefined : durationMs("timeout", options.timeout);
  return { resyncMs, workers, backoff: { firstMs, maxMs }, retryDelay, retryLimit, gather, timeoutMs, onEveryReplica };
}
