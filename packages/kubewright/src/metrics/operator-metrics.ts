import type { Counter, Gauge, Histogram, Registry } from "prom-client";
import type {
  CacheGauges,
  ConditionGauge,
  ControllerMetrics,
  QueueGauges,
  UserMetric,
  WebhookMetrics,
} from "./metric-sources.js";

const reconcileSeconds = [
  0.005, 0.01, 0.025, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.6, 0.7, 0.8, 0.9, 1, 1.25, 1.5, 1.75, 2,
  2.5, 3, 3.5, 4, 4.5, 5, 6, 7, 8, 9, 10, 15, 20, 25, 30, 40, 50, 60,
];
const webhookSeconds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const requestSeconds = [0.005, 0.025, 0.1, 0.25, 0.5, 1, 2, 4, 8, 15, 30, 60];
const queueSeconds = Array.from({ length: 12 }, (_, power) => 1e-8 * 10 ** power);

/**
 * Prometheus metrics with controller-runtime's names, so that its dashboards and alerts work.
 *
 * Created by {@link createMetrics}, which loads prom-client lazily, so that an operator without metrics does not load it.
 */
export class OperatorMetrics {
  readonly #prometheus: typeof import("prom-client");
  readonly #registry: Registry;
  readonly #reconciles: Counter<"controller" | "result">;
  readonly #errors: Counter<"controller">;
  readonly #terminalErrors: Counter<"controller">;
  readonly #timeouts: Counter<"controller">;
  readonly #droppedEvents: Counter<"controller">;
  readonly #panics: Counter<"controller">;
  readonly #reconcileTime: Histogram<"controller">;
  readonly #maxConcurrent: Gauge<"controller">;
  readonly #activeWorkers: Gauge<"controller">;
  readonly #adds: Counter<"name" | "controller">;
  readonly #retries: Counter<"name" | "controller">;
  readonly #queueTime: Histogram<"name" | "controller">;
  readonly #workTime: Histogram<"name" | "controller">;
  readonly #fieldConflicts: Counter<"controller" | "kind" | "manager">;
  readonly #mappingFailures: Counter<"controller" | "kind">;
  readonly #taskFailures: Counter<"task">;
  readonly #requests: Counter<"code" | "method" | "host">;
  readonly #requestTime: Histogram<"verb" | "host">;
  readonly #webhookRequests: Counter<"webhook" | "code">;
  readonly #webhookTime: Histogram<"webhook">;
  readonly #webhookInFlight: Gauge<"webhook">;
  readonly #webhookPanics: Counter<string>;
  readonly #queues = new Map<string, QueueGauges>();
  readonly #failing = new Map<string, () => number>();

  constructor(prometheus: typeof import("prom-client")) {
    const registers = [new prometheus.Registry()];
    const [registry] = registers;
    if (registry === undefined) throw new TypeError("Cannot create metrics without a registry");
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
    this.#reconciles = counter("controller_runtime_reconcile_total", "Total number of reconciliations per controller", [
      "controller",
      "result",
    ]);
    this.#errors = counter(
      "controller_runtime_reconcile_errors_total",
      "Total number of reconciliation errors per controller",
      ["controller"],
    );
    this.#terminalErrors = counter(
      "controller_runtime_terminal_reconcile_errors_total",
      "Total number of terminal reconciliation errors per controller",
      ["controller"],
    );
    this.#timeouts = counter(
      "controller_runtime_reconcile_timeouts_total",
      "Total number of reconciliation timeouts per controller",
      ["controller"],
    );
    this.#panics = counter(
      "controller_runtime_reconcile_panics_total",
      "Total number of reconciliation panics per controller; always 0, a thrown error counts as an error",
      ["controller"],
    );
    this.#reconcileTime = histogram(
      "controller_runtime_reconcile_time_seconds",
      "Length of time per reconciliation per controller",
      ["controller"],
      reconcileSeconds,
    );
    this.#maxConcurrent = gauge(
      "controller_runtime_max_concurrent_reconciles",
      "Maximum number of concurrent reconciles per controller",
      ["controller"],
    );
    this.#activeWorkers = gauge(
      "controller_runtime_active_workers",
      "Number of currently used workers per controller",
      ["controller"],
    );
    this.#adds = counter("workqueue_adds_total", "Total number of adds handled by workqueue", ["name", "controller"]);
    this.#retries = counter("workqueue_retries_total", "Total number of retries handled by workqueue", [
      "name",
      "controller",
    ]);
    this.#queueTime = histogram(
      "workqueue_queue_duration_seconds",
      "How long in seconds an item stays in workqueue before being requested",
      ["name", "controller"],
      queueSeconds,
    );
    this.#workTime = histogram(
      "workqueue_work_duration_seconds",
      "How long in seconds processing an item from workqueue takes",
      ["name", "controller"],
      queueSeconds,
    );
    this.#droppedEvents = counter(
      "kubewright_events_dropped_total",
      "Total number of events that were not written because the API server is slow",
      ["controller"],
    );
    this.#mappingFailures = counter(
      "kubewright_mapping_failures_total",
      "Number of changes that were ignored because the mapping of a watch threw, per watched kind",
      ["controller", "kind"],
    );
    this.#fieldConflicts = counter(
      "kubewright_field_conflicts_total",
      "Number of field ownership conflicts detected, per kind and field manager",
      ["controller", "kind", "manager"],
    );
    this.#taskFailures = counter("kubewright_task_failures_total", "Number of times a task of the operator failed", [
      "task",
    ]);
    this.#requests = counter(
      "rest_client_requests_total",
      "Number of HTTP requests, partitioned by status code, method, and host",
      ["code", "method", "host"],
    );
    this.#requestTime = histogram(
      "rest_client_request_duration_seconds",
      "Request latency in seconds, per verb and host, without watches",
      ["verb", "host"],
      requestSeconds,
    );
    this.#webhookRequests = counter(
      "controller_runtime_webhook_requests_total",
      "Total number of admission requests by HTTP status code",
      ["webhook", "code"],
    );
    this.#webhookTime = histogram(
      "controller_runtime_webhook_latency_seconds",
      "Histogram of the latency of processing admission requests",
      ["webhook"],
      webhookSeconds,
    );
    this.#webhookInFlight = gauge(
      "controller_runtime_webhook_requests_in_flight",
      "Current number of admission requests being served",
      ["webhook"],
    );
    this.#webhookPanics = counter(
      "controller_runtime_webhook_panics_total",
      "Total number of webhook panics: handlers that threw",
      [],
    );
    const queues = this.#queues;
    gauge(
      "workqueue_depth",
      "Current depth of workqueue by workqueue and priority",
      ["name", "controller", "priority"],
      function collect() {
        this.reset();
        for (const [controller, { lengths }] of queues) {
          for (const [priority, length] of new Map([[0, 0], ...lengths]))
            this.set({ name: controller, controller, priority: String(priority) }, length);
        }
      },
    );
    const failing = this.#failing;
    gauge(
      "kubewright_failing_objects",
      "Number of objects whose last reconciliation failed",
      ["controller"],
      function collect() {
        this.reset();
        for (const [controller, count] of failing) this.set({ controller }, count());
      },
    );
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
      "How many seconds of work in progress have not been observed by workqueue_work_duration_seconds",
      ["name", "controller"],
      (queue) => queue.unfinishedWorkMs / 1_000,
    );
    perQueue(
      "workqueue_longest_running_processor_seconds",
      "How many seconds the longest running processor for workqueue has been running",
      ["name", "controller"],
      (queue) => {
        return queue.longestRunningMs / 1_000;
      },
    );
    prometheus.collectDefaultMetrics({ register: registry });
  }

  /** Creates the series of one controller at zero, so that rates work from the first scrape. */
  controller(controller: string, workers: number): ControllerMetrics {
    for (const result of ["success", "error", "requeue", "requeue_after"] as const)
      this.#reconciles.inc({ controller, result }, 0);
    for (const series of [this.#errors, this.#terminalErrors, this.#timeouts, this.#panics, this.#droppedEvents])
      series.inc({ controller }, 0);
    this.#maxConcurrent.set({ controller }, workers);
    this.#activeWorkers.set({ controller }, 0);
    const queue = { name: controller, controller };
    this.#adds.inc(queue, 0);
    this.#retries.inc(queue, 0);
    return {
      runStarted: () => this.#activeWorkers.inc({ controller }),
      runTimedOut: () => this.#timeouts.inc({ controller }),
      eventDropped: () => this.#droppedEvents.inc({ controller }),
      runEnded: (result, seconds, { terminal = false } = {}) => {
        this.#activeWorkers.dec({ controller });
        this.#reconciles.inc({ controller, result });
        this.#reconcileTime.observe({ controller }, seconds);
        if (result === "error") this.#errors.inc({ controller });
        if (terminal) this.#terminalErrors.inc({ controller });
      },
      mappingFailed: (kind) => this.#mappingFailures.inc({ controller, kind }),
      fieldConflict: (kind, manager) => this.#fieldConflicts.inc({ controller, kind, manager }),
      queueObserver: {
        added: () => this.#adds.inc(queue),
        taken: (_, waitedMs) => this.#queueTime.observe(queue, waitedMs / 1_000),
        done: (_, workedMs) => this.#workTime.observe(queue, workedMs / 1_000),
        retried: () => this.#retries.inc(queue),
      },
      watchFailing: (count) => this.#failing.set(controller, count),
      watchQueue: (gauges) => this.#queues.set(controller, gauges),
      removed: () => {
        this.#queues.delete(controller);
        this.#failing.delete(controller);
        for (const gauge of [this.#maxConcurrent, this.#activeWorkers]) gauge.remove({ controller });
      },
    };
  }

  /** Creates the series of one path of the webhook server at zero. */
  webhook(path: string): WebhookMetrics {
    const webhook = { webhook: path };
    for (const code of ["200", "500"]) this.#webhookRequests.inc({ ...webhook, code }, 0);
    this.#webhookInFlight.set(webhook, 0);
    return {
      requestStarted: () => this.#webhookInFlight.inc(webhook),
      requestEnded: (code, seconds) => {
        this.#webhookInFlight.dec(webhook);
        this.#webhookRequests.inc({ ...webhook, code: String(code) });
        this.#webhookTime.observe(webhook, seconds);
      },
    };
  }

  /** The handler of an admission webhook threw. */
  webhookFailed(): void {
    this.#webhookPanics.inc();
  }

  /** Collects the size and the activity of each kind's cache at scrape time. A kind may have several caches. */
  watchCaches(read: () => readonly CacheGauges[]): void {
    const registers = [this.#registry];
    const labelNames = ["kind"] as const;
    const collectInto = (metric: Pick<Gauge<"kind">, "reset" | "inc">, value: (cache: CacheGauges) => number): void => {
      metric.reset();
      for (const cache of read()) metric.inc({ kind: cache.kind }, value(cache));
    };
    const gauge = (name: string, help: string, value: (cache: CacheGauges) => number): void => {
      const made: Gauge<"kind"> = new this.#prometheus.Gauge({
        name,
        help,
        labelNames,
        registers,
        collect: () => collectInto(made, value),
      });
    };
    const counter = (name: string, help: string, value: (cache: CacheGauges) => number): void => {
      const made: Counter<"kind"> = new this.#prometheus.Counter({
        name,
        help,
        labelNames,
        registers,
        collect: () => collectInto(made, value),
      });
    };
    gauge("kubewright_cache_objects", "Number of objects in the informer cache", ({ objects }) => objects);
    gauge(
      "kubewright_cache_bytes",
      "Approximate size of the informer cache as JSON, estimated from a sample",
      ({ bytes }) => bytes,
    );
    counter(
      "kubewright_watch_restarts_total",
      "Number of watch requests after the first one",
      ({ watchRestarts }) => watchRestarts,
    );
    counter("kubewright_watch_relists_total", "Number of complete lists after the first one", ({ relists }) => relists);
    counter(
      "kubewright_watch_expired_total",
      "Number of lists and watches that the server rejected with status 410, because their resourceVersion is too old",
      ({ expired }) => expired,
    );
    const age: Gauge<"kind"> = new this.#prometheus.Gauge({
      name: "kubewright_cache_last_event_age_seconds",
      help: "Time since the last watch event or bookmark of the informer cache",
      labelNames,
      registers,
      collect: () => {
        const oldest = new Map<string, number>();
        for (const { kind, lastEventAgeMs } of read())
          oldest.set(kind, Math.max(oldest.get(kind) ?? 0, lastEventAgeMs));
        age.reset();
        for (const [kind, ms] of oldest) age.set({ kind }, ms / 1_000);
      },
    });
  }

  /** Collects at scrape time how many objects have a condition in which state. */
  watchConditions(read: () => Iterable<ConditionGauge>): void {
    const gauge: Gauge<"kind" | "type" | "status" | "reason"> = new this.#prometheus.Gauge({
      name: "kubewright_conditions",
      help: "Number of objects of the reconciled kinds, by the status and reason of their conditions",
      labelNames: ["kind", "type", "status", "reason"],
      registers: [this.#registry],
      collect: () => {
        gauge.reset();
        for (const { objects, ...labels } of read()) gauge.inc({ ...labels }, objects);
      },
    });
  }

  /** Serves a metric of the program beside its own. Throws a TypeError where the name is taken. */
  register(metric: UserMetric): void {
    this.#registry.registerMetric(metric as never);
  }

  /** Collects at scrape time whether this process holds a Lease. */
  watchLeader(lease: string, leads: () => boolean): void {
    const gauge: Gauge<"name"> = new this.#prometheus.Gauge({
      name: "leader_election_master_status",
      help: "Gauge of if the reporting system is master of the relevant lease, 0 indicates backup, 1 indicates master",
      labelNames: ["name"],
      registers: [this.#registry],
      collect: () => {
        gauge.set({ name: lease }, leads() ? 1 : 0);
      },
    });
  }

  /** Collects at scrape time when the webhook certificate in a Secret expires, in milliseconds since 1970; undefined while there is none. */
  watchCertificate(secret: string, expiresMs: () => number | undefined): void {
    const gauge: Gauge<"secret"> = new this.#prometheus.Gauge({
      name: "kubewright_webhook_certificate_expiration_timestamp_seconds",
      help: "Time at which the serving certificate of the webhooks expires, in seconds since 1970",
      labelNames: ["secret"],
      registers: [this.#registry],
      collect: () => {
        const ms = expiresMs();
        if (ms !== undefined) gauge.set({ secret }, ms / 1_000);
      },
    });
  }

  /** Collects the number of owned shards at scrape time. */
  watchShards(sharding: string, owned: () => number): void {
    const gauge: Gauge<"name"> = new this.#prometheus.Gauge({
      name: "kubewright_shards_owned",
      help: "Number of shards owned by this process",
      labelNames: ["name"],
      registers: [this.#registry],
      collect: () => {
        gauge.set({ name: sharding }, owned());
      },
    });
  }

  /** A request finished; `code` is `<error>` without a response. Without `seconds` no latency is recorded. */
  requestEnded(method: string, host: string, code: string, seconds?: number): void {
    this.#requests.inc({ code, method, host });
    if (seconds !== undefined) this.#requestTime.observe({ verb: method, host }, seconds);
  }

  /** A task threw, and is about to restart. */
  taskFailed(task: string): void {
    this.#taskFailures.inc({ task });
  }

  /** The Prometheus exposition format. */
  text(): Promise<string> {
    return this.#registry.metrics();
  }

  /** The content type of {@link text}. */
  get contentType(): string {
    return this.#registry.contentType;
  }

  /** Clears the registry, which stops all collection. */
  close(): void {
    this.#registry.clear();
  }
}

/**
 * Loads prom-client and creates the metrics of one operator. Call `close` when the operator has stopped.
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
