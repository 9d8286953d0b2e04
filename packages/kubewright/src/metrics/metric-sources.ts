/** What the parts of an operator report to its metrics: series that they write, and gauges that are collected from them. */

/** The result of one reconcile: the label `result` of `controller_runtime_reconcile_total`. */
export type ReconcileResult = "success" | "error" | "requeue" | "requeue_after";

/** The values of a queue, collected at scrape time. */
export interface QueueGauges {
  /** Number of ready keys, by priority. */
  readonly lengths: ReadonlyMap<number, number>;
  readonly unfinishedWorkMs: number;
  readonly longestRunningMs: number;
}

/** The values of one cache, collected at scrape time. */
export interface CacheGauges {
  /** As `group/version/Kind`. */
  readonly kind: string;
  readonly objects: number;
  readonly bytes: number;
  /** Watch requests after the first. */
  readonly watchRestarts: number;
  /** Lists after the first. */
  readonly relists: number;
  /** Watches and lists that the server rejected with 410: their resourceVersion is too old. */
  readonly expired: number;
  /** Since the last event, bookmarks included. */
  readonly lastEventAgeMs: number;
}

/** How many objects of a kind have a condition in one state. */
export interface ConditionGauge {
  /** As `group/version/Kind`. */
  readonly kind: string;
  readonly type: string;
  readonly status: string;
  readonly reason: string;
  readonly objects: number;
}

/** A metric of prom-client that a program creates itself, with `registers: []`. */
export interface UserMetric {
  /** Its current values. */
  get(): Promise<{ readonly name: string }>;
}

/** The series of one controller. */
export interface ControllerMetrics {
  /** A reconcile started. */
  runStarted(): void;
  /** A reconcile exceeded its timeout; it may still run. */
  runTimedOut(): void;
  /** A reconcile finished. `terminal`: an error that is not retried. */
  runEnded(result: ReconcileResult, seconds: number, how?: { readonly terminal?: boolean }): void;
  /** An event was dropped because the server is slow. */
  eventDropped(): void;
  /** A mapping threw for an object of this kind. */
  mappingFailed(kind: string): void;
  /** A field of an object of this kind is flapping between the controller and another field manager, or between the controller's own values. */
  fieldConflict(kind: string, manager: string): void;
  /** The observer of a work queue. */
  readonly queueObserver: {
    added(key: string): void;
    taken(key: string, waitedMs: number): void;
    done(key: string, workedMs: number): void;
    retried(key: string, delayMs: number): void;
  };
  /** Collects at scrape time how many objects fail: their last run threw. */
  watchFailing(failing: () => number): void;
  /** Collects depth and unfinished work at scrape time. */
  watchQueue(queue: QueueGauges): void;
  /** The controller was removed: removes its gauges and keeps its counters. */
  removed(): void;
}

/** The series of one path of the webhook server. */
export interface WebhookMetrics {
  /** A request arrived. */
  requestStarted(): void;
  /** A response was sent, with this HTTP status code. */
  requestEnded(code: number, seconds: number): void;
}
