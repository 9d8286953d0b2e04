import type { Counter, Gauge, Histogram, Registry } from "prom-client";

/** The result of one run, as the label `result` of `controller_runtime_reconcile_total` has it. */
export type ReconcileResult = "success" | "error" | "requeue" | "requeue_after";

/** What a queue tells of itself when metrics are read. */
export interface QueueGauges {
  /** How many keys are ready, by priority. */
  readonly lengths: ReadonlyMap<number, number>;
  readonly unfinishedWorkMs: number;
  readonly longestRunningMs: number;
}

/** What one cache tells of itself when metrics are read. */
export interface CacheGauges {
  /** As `group/version/Kind`. */
  readonly kind: string;
  readonly objects: number;
  readonly bytes: number;
}

/** The series of one controller. */
export interface ControllerMetrics {
  /** A worker began. */
  runStarted(): void;
  /** A worker ended. `terminal` marks an error that is not retried, `timedOut` one of the run's time limit. */
  runEnded(
    result: ReconcileResult,
    seconds: number,
    how?: { readonly terminal?: boolean; readonly timedOut?: boolean },
  ): void;
  /** A field of an object of this kind goes to and fro with another field manager, or with the controller itself. */
  fought(kind: string, manager: string): void;
  /** Fits the observer of a work queue. */
  readonly queueObserver: {
    added(key: string): void;
    taken(key: string, waitedMs: number): void;
    done(key: string, workedMs: number): void;
    retried(key: string, delayMs: number): void;
  };
  /** Depth and unfinished work are asked for when metrics are read, not kept. */
  watchQueue(queue: QueueGauges): void;
  /** The controller was removed: its gauges go, what was counted stays. */
  removed(): void;
}

const reconcileSeconds = [
  0.005, 0.01, 0.025, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.6, 0.7, 0.8, 0.9, 1, 1.25, 1.5, 1.75, 2,
  2.5, 3, 3.5, 4, 4.5, 5, 6, 7, 8, 9, 10, 15, 20, 25, 30, 40, 50, 60,
];
const requestSeconds = [0.005, 0.025, 0.1, 0.25, 0.5, 1, 2, 4, 8, 15, 30, 60];
const queueSeconds = Array.from({ length: 12 }, (_, power) => 1e-8 * 10 ** power);

/**
 * Prometheus metrics under the names that controller-runtime gave them, so that its dashboards and alerts carry over.
 *
 * Made by {@link createMetrics}, which loads prom-client: programs without metrics do not pay for it.
 */
export class OperatorMetrics {
  readonly #prometheus: typeof import("prom-client");
  readonly #registry: Registry;
  readonly #reconciles: Counter<"controller" | "result">;
  readonly #errors: Counter<"controller">;
  readonly #terminalErrors: Counter<"controller">;
  readonly #timeouts: Counter<"controller">;
  readonly #panics: Counter<"controller">;
  readonly #reconcileTime: Histogram<"controller">;
  readonly #maxConcurrent: Gauge<"controller">;
  readonly #activeWorkers: Gauge<"controller">;
  readonly #adds: Counter<"name" | "controller">;
  readonly #retries: Counter<"name" | "controller">;
  readonly #queueTime: Histogram<"name" | "controller">;
  readonly #workTime: Histogram<"name" | "controller">;
  readonly #fights: Counter<"controller" | "kind" | "manager">;
  readonly #requests: Counter<"code" | "method" | "host">;
  readonly #requestTime: Histogram<"verb" | "host">;
  readonly #queues = new Map<string, QueueGauges>();

  constructor(prometheus: typeof import("prom-client")) {
    const registers = [new prometheus.Registry()];
    const [registry] = registers;
    if (registry === undefined) throw new TypeError("Cannot make metrics without a registry");
    this.#prometheus = prometheus;
    this.#registry = registry;
    const counter = <L extends string>(name: string, help: string, labelNames: L[]): Counter<L> => {
      return new prometheus.Counter({ name, help, labelNames, registers });
    };
    const histogram = <L extends string>(
      name: string,
      help: string,
      labelNames: L[],
      buckets: number[],
    ): Histogram<L> => {
      return new prometheus.Histogram({ name, help, labelNames, buckets, registers });
    };
    const gauge = <L extends string>(
      name: string,
      help: string,
      labelNames: L[],
      collect?: (this: Gauge<L>) => void,
    ): Gauge<L> => {
      return new prometheus.Gauge({ name, help, labelNames, registers, ...(collect && { collect }) });
    };
    this.#reconciles = counter("controller_runtime_reconcile_total", "Runs per controller and result", [
      "controller",
      "result",
    ]);
    this.#errors = counter("controller_runtime_reconcile_errors_total", "Runs that failed", ["controller"]);
    this.#terminalErrors = counter("controller_runtime_terminal_reconcile_errors_total", "Runs that failed for good", [
      "controller",
    ]);
    this.#timeouts = counter("controller_runtime_reconcile_timeouts_total", "Runs that took too long", ["controller"]);
    this.#panics = counter(
      "controller_runtime_reconcile_panics_total",
      "Always 0: whatever a run throws counts as an error; here for dashboards",
      ["controller"],
    );
    this.#reconcileTime = histogram(
      "controller_runtime_reconcile_time_seconds",
      "Length of a run",
      ["controller"],
      reconcileSeconds,
    );
    this.#maxConcurrent = gauge("controller_runtime_max_concurrent_reconciles", "Workers that may run at once", [
      "controller",
    ]);
    this.#activeWorkers = gauge("controller_runtime_active_workers", "Workers that run now", ["controller"]);
    this.#adds = counter("workqueue_adds_total", "Keys that became ready", ["name", "controller"]);
    this.#retries = counter("workqueue_retries_total", "Keys that were put back", ["name", "controller"]);
    this.#queueTime = histogram(
      "workqueue_queue_duration_seconds",
      "How long a key waited",
      ["name", "controller"],
      queueSeconds,
    );
    this.#workTime = histogram(
      "workqueue_work_duration_seconds",
      "How long a key was worked on",
      ["name", "controller"],
      queueSeconds,
    );
    this.#fights = counter("kubewright_fights_total", "Fields that went to and fro, each time that it was noticed", [
      "controller",
      "kind",
      "manager",
    ]);
    this.#requests = counter("rest_client_requests_total", "Requests to API servers", ["code", "method", "host"]);
    this.#requestTime = histogram(
      "rest_client_request_duration_seconds",
      "How long API servers took to answer; watches are left out",
      ["verb", "host"],
      requestSeconds,
    );
    const queues = this.#queues;
    gauge("workqueue_depth", "Keys that are ready", ["name", "controller", "priority"], function collect() {
      this.reset();
      for (const [controller, { lengths }] of queues) {
        for (const [priority, length] of new Map([[0, 0], ...lengths]))
          this.set({ name: controller, controller, priority: String(priority) }, length);
      }
    });
    const perQueue = (
      name: string,
      help: string,
      labelNames: ("name" | "controller")[],
      read: (queue: QueueGauges) => number,
    ): void => {
      gauge(name, help, labelNames, function collect() {
        this.reset();
        for (const [controller, queue] of queues) this.set({ name: controller, controller }, read(queue));
      });
    };
    perQueue(
      "workqueue_unfinished_work_seconds",
      "Work under way",
      ["name", "controller"],
      (queue) => queue.unfinishedWorkMs / 1_000,
    );
    perQueue(
      "workqueue_longest_running_processor_seconds",
      "The longest run under way",
      ["name", "controller"],
      (queue) => {
        return queue.longestRunningMs / 1_000;
      },
    );
    prometheus.collectDefaultMetrics({ register: registry });
  }

  /** The series of one controller, all there at zero, so that rates work from the first scrape. */
  controller(controller: string, workers: number): ControllerMetrics {
    for (const result of ["success", "error", "requeue", "requeue_after"] as const)
      this.#reconciles.inc({ controller, result }, 0);
    for (const series of [this.#errors, this.#terminalErrors, this.#timeouts, this.#panics])
      series.inc({ controller }, 0);
    this.#maxConcurrent.set({ controller }, workers);
    this.#activeWorkers.set({ controller }, 0);
    const queue = { name: controller, controller };
    this.#adds.inc(queue, 0);
    this.#retries.inc(queue, 0);
    return {
      runStarted: () => this.#activeWorkers.inc({ controller }),
      runEnded: (result, seconds, { terminal = false, timedOut = false } = {}) => {
        this.#activeWorkers.dec({ controller });
        this.#reconciles.inc({ controller, result });
        this.#reconcileTime.observe({ controller }, seconds);
        if (result === "error") this.#errors.inc({ controller });
        if (terminal) this.#terminalErrors.inc({ controller });
        if (timedOut) this.#timeouts.inc({ controller });
      },
      fought: (kind, manager) => this.#fights.inc({ controller, kind, manager }),
      queueObserver: {
        added: () => this.#adds.inc(queue),
        taken: (_, waitedMs) => this.#queueTime.observe(queue, waitedMs / 1_000),
        done: (_, workedMs) => this.#workTime.observe(queue, workedMs / 1_000),
        retried: () => this.#retries.inc(queue),
      },
      watchQueue: (gauges) => this.#queues.set(controller, gauges),
      removed: () => {
        this.#queues.delete(controller);
        for (const gauge of [this.#maxConcurrent, this.#activeWorkers]) gauge.remove({ controller });
      },
    };
  }

  /** What is kept of each kind; asked for when metrics are read. */
  watchCaches(read: () => readonly CacheGauges[]): void {
    const perKind = (name: string, help: string, value: (cache: CacheGauges) => number): void => {
      const gauge: Gauge<"kind"> = new this.#prometheus.Gauge({
        name,
        help,
        labelNames: ["kind"],
        registers: [this.#registry],
        collect: () => {
          gauge.reset();
          for (const cache of read()) gauge.inc({ kind: cache.kind }, value(cache));
        },
      });
    };
    perKind("kubewright_cache_objects", "Objects that are kept in memory", ({ objects }) => objects);
    perKind("kubewright_cache_bytes", "About how many bytes they take as JSON, from a sample", ({ bytes }) => bytes);
  }

  /** Whether this process leads under a Lease; asked for when metrics are read. */
  watchLeader(lease: string, leads: () => boolean): void {
    const gauge: Gauge<"name"> = new this.#prometheus.Gauge({
      name: "leader_election_master_status",
      help: "Whether this process leads: 1, or waits: 0, per lease",
      labelNames: ["name"],
      registers: [this.#registry],
      collect: () => {
        gauge.set({ name: lease }, leads() ? 1 : 0);
      },
    });
  }

  /** How many shards of a shared work this process owns; asked for when metrics are read. */
  watchShards(sharding: string, owned: () => number): void {
    const gauge: Gauge<"name"> = new this.#prometheus.Gauge({
      name: "kubewright_shards_owned",
      help: "Shards that this process owns",
      labelNames: ["name"],
      registers: [this.#registry],
      collect: () => {
        gauge.set({ name: sharding }, owned());
      },
    });
  }

  /** One request was answered; `code` is `<error>` when there was no answer. `seconds` where it says something. */
  requestEnded(method: string, host: string, code: string, seconds?: number): void {
    this.#requests.inc({ code, method, host });
    if (seconds !== undefined) this.#requestTime.observe({ verb: method, host }, seconds);
  }

  /** The exposition that Prometheus scrapes. */
  text(): Promise<string> {
    return this.#registry.metrics();
  }

  /** The content type of {@link text}. */
  get contentType(): string {
    return this.#registry.contentType;
  }

  /** Takes everything out of the registry: nothing is collected any more. */
  close(): void {
    this.#registry.clear();
  }
}

/**
 * Loads prom-client and makes the metrics of one operator. `close` them when the operator has stopped.
 *
 * @example
 * const metrics = await createMetrics();
 * await using running = await websiteOperator.start({ transport, metrics });
 * console.log(await metrics.text());
 */
export async function createMetrics(): Promise<OperatorMetrics> {
  const { default: prometheus } = await import("prom-client");
  return new OperatorMetrics(prometheus);
}
