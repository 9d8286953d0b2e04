import { systemClock } from "@kubewright/core/clock";
import { OperatorError } from "@kubewright/core/errors";
import type { Logger } from "@kubewright/core/log";
import { type Duration, durationMs } from "@kubewright/core/meta";
import type { Transport } from "@kubewright/core/transport";
import { createClient } from "../client/index.js";
import { isResource } from "../definition/index.js";
import { electOnThread } from "../lease/index.js";
import { createMetrics, type OperatorMetrics } from "../metrics/index.js";
import { HttpsTransport, type LoadConnectionOptions, loadConnection } from "../transport/index.js";
import type { AssembledOperator, ElectionMaker } from "./assemble-operator.js";
import { type ClusterConnection, connectClusters } from "./connect-clusters.js";
import { defaultLogger } from "./default-logger.js";
import { featureSwitches } from "./feature-switches.js";
import { isGuarded } from "./guarded-address.js";
import { answerHealth, type HealthCheck } from "./health-checks.js";
import { type EndpointHandler, type HttpEndpoint, listenHttp } from "./http-endpoint.js";
import { lateTierUp } from "./late-tier-up.js";
import { leaderCheck } from "./leader-check.js";
import { LeveledLogger, type LogLevel, LogThreshold } from "./leveled-logger.js";
import { listenMetrics, type SecureMetricsOptions } from "./metrics-endpoint.js";
import {
  convertedBy,
  type OpenedWebhooks,
  openWebhooks,
  servesWebhooks,
  type WebhookServingOptions,
} from "./open-webhooks.js";
import { runsHandler } from "./runs-endpoint.js";
import type { StartOptions } from "./start-options.js";
import { StartedOperator } from "./started-operator.js";
import { StopSignal } from "./stop-signal.js";
import { trimMemory } from "./trim-memory.js";

/** How an operator runs as a process. */
export interface RunOptions
  extends WebhookServingOptions,
    Pick<LoadConnectionOptions, "kubeconfig" | "context">,
    Pick<
      StartOptions,
      | "namespace"
      | "installCRDs"
      | "runHistory"
      | "failureEvents"
      | "tracing"
      | "streaming"
      | "missingKinds"
      | "leaderElection"
      | "sharding"
    > {
  /** The address of the API server, instead of the kubeconfig's. */
  readonly server?: string;
  /** Other clusters that its controllers work with, by the names that their kinds give them (`ofCluster`). @default none */
  readonly clusters?: Readonly<Record<string, ClusterConnection>>;
  /** Serves `/healthz` and `/readyz`, for instance on `:8081`; also on the `metricsAddress`, unless metrics are secure. @default not served */
  readonly healthAddress?: string;
  /** Checks of `/healthz` by name, beside its own: liveness. A check fails by throwing. @default none */
  readonly healthChecks?: Readonly<Record<string, HealthCheck>>;
  /** Checks of `/readyz` by name, beside its own: readiness. A check fails by throwing. @default none */
  readonly readyChecks?: Readonly<Record<string, HealthCheck>>;
  /**
   * Serves `/metrics`, for instance on `:8080`; and `/debug/runs` for `kubewright why`, where only authorized clients or those of this machine can
   * connect. @default not served
   */
  readonly metricsAddress?: string;
  /**
   * Serves metrics over HTTPS to clients that RBAC allows to read them; `true` uses a self-signed certificate. kubebuilder's manifests expect it on
   * `:8443`. @default false: plain HTTP without authentication
   */
  readonly secureMetrics?: boolean | SecureMetricsOptions;
  /**
   * Serves CPU profiles (`/debug/pprof/profile?seconds=30`), heap snapshots (`/debug/pprof/heap`) and the log level (`/debug/log-level`) on
   * `metricsAddress`, with the authorization of `secureMetrics`; without it only on a loopback address. @default false
   */
  readonly debugEndpoints?: boolean;
  /** How long running reconciles may take to return after a signal. @default "30s" */
  readonly gracefulShutdownTimeout?: Duration;
  /** Receives the log. @default JSON lines on standard error; human-readable in a terminal */
  readonly logger?: Logger;
  /** Of the default logger. @default "info" */
  readonly logLevel?: LogLevel;
  /**
   * Sets V8 flags of the process that reduce its idle memory: one garbage collection after the start, and late optimisation of the HTTP parser
   * (decision 0011). @default false
   */
  readonly saveMemory?: boolean;
  /** Stops it like SIGTERM. */
  readonly signal?: AbortSignal;
}

/** See `Operator.run`. */
export async function runOperator(operator: AssembledOperator, options: RunOptions = {}): Promise<void> {
  const { saveMemory = false, gracefulShutdownTimeout = "30s", logLevel = "info" } = options;
  const graceMs = durationMs("gracefulShutdownTimeout", gracefulShutdownTimeout);
  // Loaded on use, as it loads the inspector.
  const debugging = options.debugEndpoints === true ? await import("./debug-endpoint.js") : undefined;
  debugging?.requireGuarded(options.metricsAddress, isAuthorized(options.secureMetrics));
  if (saveMemory) lateTierUp();
  // A given logger has a level of its own; the threshold can restrict it further.
  const threshold = new LogThreshold(options.logger === undefined ? logLevel : "debug");
  const logger = options.logger ? new LeveledLogger(options.logger, threshold) : await defaultLogger(threshold);
  const debug = debugging && { debug: debugging.debugHandler({ threshold, logger }), puts: debugging.debugPuts };
  using stop = new StopSignal(logger, options.signal);
  const stopRequested = stop.signal;
  const { server } = options;
  const connection = { ...(await loadConnection(options)), ...(server !== undefined && { server }) };
  const transport = new HttpsTransport(connection, { clock: systemClock, userAgent: operator.name });
  const metrics = options.metricsAddress === undefined ? undefined : await createMetrics();
  const makeElection: ElectionMaker = (settings) =>
    electOnThread({ settings, connection, userAgent: operator.name, logger, ...(metrics && { metrics }) });
  const clusters = await connectClusters(options.clusters ?? {}, operator.name);
  let running: StartedOperator | undefined;
  let webhooks: OpenedWebhooks | undefined;
  const endpoints: { close(): Promise<void> }[] = [];
  try {
    const observed = { running: () => running, webhooks: () => webhooks };
    endpoints.push(...(await openEndpoints({ operator, options, ...observed, metrics, logger, transport, debug })));
    // Before CRDs are installed: from then on the server calls the conversion webhook.
    const observers = { logger, metrics, tracing: options.tracing ?? false };
    webhooks = await openWebhooks(operator, options, {
      client: createClient(transport),
      signal: stopRequested,
      ...observers,
    });
    if (webhooks !== undefined) endpoints.push(webhooks);
    const { namespace, installCRDs, leaderElection, missingKinds, tracing, sharding, runHistory, failureEvents } =
      options;
    const { streaming } = { ...featureSwitches(process.env, logger), ...options };
    const startOptions = {
      transport,
      logger,
      signal: stopRequested,
      clusters,
      ...(namespace !== undefined && { namespace }),
      ...(installCRDs !== undefined && { installCRDs: withConversion(installCRDs, webhooks) }),
      ...(leaderElection !== undefined && { leaderElection }),
      ...(streaming !== undefined && { streaming }),
      ...(missingKinds !== undefined && { missingKinds }),
      ...(tracing !== undefined && { tracing }),
      ...(sharding !== undefined && { sharding }),
      ...(runHistory !== undefined && { runHistory }),
      ...(failureEvents !== undefined && { failureEvents }),
      ...(metrics && { metrics }),
      ...(webhooks && { webhookHandler: webhooks.handler }),
    };
    const started = await StartedOperator.start(operator, startOptions, makeElection);
    running = started;
    // After the CRDs, so that no webhook is called for a migration.
    await webhooks?.install();
    using _trim = saveMemory ? trimMemory(systemClock, () => !started.idle) : undefined;
    await aborted(AbortSignal.any([stopRequested, running.lost]));
    // Without the lease there is no graceful stop: another replica is already active.
    running.lost.throwIfAborted();
    await withinGrace(running, graceMs, operator.name);
  } catch (error) {
    // After a failed stop neither reconciles nor lease renewal may continue.
    await running?.abandon(error instanceof Error ? error : new Error(String(error)));
    // A signal during the start is a stop, not a failure.
    if (!stopRequested.aborted || error !== stopRequested.reason) throw error;
  } finally {
    await Promise.all(endpoints.map((endpoint) => endpoint.close()));
    metrics?.close();
    await Promise.all(
      [transport, ...Object.values(clusters).map((other) => other.transport)].map((open) => open.close()),
    );
  }
}

/** Refers conversions to the webhook that this process serves, where the options do not say otherwise. */
function withConversion(
  installCRDs: NonNullable<RunOptions["installCRDs"]>,
  webhooks: OpenedWebhooks | undefined,
): NonNullable<RunOptions["installCRDs"]> {
  const conversionWebhook = webhooks?.conversionWebhook;
  if (installCRDs === false || conversionWebhook === undefined) return installCRDs;
  return { conversionWebhook, ...(installCRDs === true ? {} : installCRDs) };
}

/**
 * The check of `/readyz` that the caches are up to date.
 *
 * It does not wait for what needs the operator's own conversion webhook: the server calls the webhook through a Service, which may route to ready
 * pods only. So it passes during the start of an operator with conversions, and ignores the caches of the converted kinds.
 */
function cachesCheck(
  operator: AssembledOperator,
  options: RunOptions,
  running: () => StartedOperator | undefined,
): HealthCheck {
  const converted = servesWebhooks(operator, options) ? convertedBy(operator) : new Set();
  return () => {
    const started = running();
    if (started === undefined && converted.size > 0) return;
    const why =
      started === undefined
        ? "The operator is starting"
        : started.whyNotReady((kind) => isResource(kind) && converted.has(kind.definition));
    if (why !== undefined) throw new Error(why);
  };
}

/** The check of `/readyz` that webhooks are served, with a certificate that has not expired. */
function webhooksCheck(webhooks: () => OpenedWebhooks | undefined): HealthCheck {
  return () => {
    const opened = webhooks();
    if (opened === undefined) throw new Error("The webhook server is starting");
    return opened.check();
  };
}

/** The check of `/healthz` that keys are processed: a restart ends runs that ignore their signal. */
function workersCheck(running: () => StartedOperator | undefined): HealthCheck {
  return () => {
    const why = running()?.unhealthy;
    if (why !== undefined) throw new Error(why);
  };
}

/** What the health and metrics endpoints report on. */
interface EndpointsInput {
  readonly operator: AssembledOperator;
  readonly options: RunOptions;
  /** Undefined until the operator runs. */
  readonly running: () => StartedOperator | undefined;
  /** Undefined until they are served. */
  readonly webhooks: () => OpenedWebhooks | undefined;
  readonly metrics: OperatorMetrics | undefined;
  readonly logger: Logger;
  readonly transport: Transport;
  readonly debug: { readonly debug: EndpointHandler; readonly puts: readonly string[] } | undefined;
}

async function openEndpoints({
  operator,
  options,
  running,
  webhooks,
  metrics,
  logger,
  transport,
  debug,
}: EndpointsInput): Promise<HttpEndpoint[]> {
  const { healthAddress, metricsAddress, leaderElection, sharding, secureMetrics = false } = options;
  const endpoints: HttpEndpoint[] = [];
  // Secure metrics are served over HTTPS with authorization, which probes do not have.
  const isShared = healthAddress === metricsAddress && metrics !== undefined && secureMetrics === false;
  let health: EndpointHandler = () => undefined;
  if (healthAddress !== undefined) {
    const ready = {
      ...options.readyChecks,
      caches: cachesCheck(operator, options, running),
      ...(servesWebhooks(operator, options) && { webhooks: webhooksCheck(webhooks) }),
    };
    const elects = [leaderElection, sharding].some((wanted) => wanted !== undefined && wanted !== false);
    const alive = {
      ...options.healthChecks,
      workers: workersCheck(running),
      ...(elects && { leaderElection: leaderCheck(running) }),
    };
    health = (url) => {
      const [, endpoint, path = ""] = /^\/(healthz|readyz)(\/.*)?$/.exec(url.pathname) ?? [];
      if (endpoint === undefined) return undefined;
      return answerHealth(endpoint === "readyz" ? ready : alive, path, url.searchParams).then((answer) => {
        for (const [check, err] of Object.entries(answer.failures)) logger.warn({ check, err }, "Health check failed");
        return answer;
      });
    };
    if (!isShared) endpoints.push(await listenHttp(healthAddress, health));
  }
  if (metricsAddress !== undefined && metrics !== undefined) {
    if (leaderElection !== undefined && leaderElection !== false) {
      const { name = operator.name } = leaderElection === true ? {} : leaderElection;
      metrics.watchLeader(name, () => running()?.leading ?? false);
    }
    if (sharding !== undefined && sharding !== false) {
      const { name = operator.name } = sharding === true ? {} : sharding;
      metrics.watchShards(name, () => running()?.ownedShards ?? 0);
    }
    const security = secureMetrics === true ? {} : secureMetrics === false ? undefined : secureMetrics;
    const runs = runsHandler(running, isGuarded(metricsAddress, isAuthorized(secureMetrics)));
    endpoints.push(
      await listenMetrics(metricsAddress, metrics, {
        security,
        client: createClient(transport),
        logger,
        debug: (url, request) =>
          (isShared ? health(url, request) : undefined) ?? runs(url, request) ?? debug?.debug(url, request),
        puts: debug?.puts ?? [],
      }),
    );
  }
  return endpoints;
}

function isAuthorized(security: RunOptions["secureMetrics"] = false): boolean {
  return security === true || (security !== false && security.authorize !== false);
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
}

async function withinGrace(running: StartedOperator, graceMs: number, name: string): Promise<void> {
  const lost = new Promise<never>((_, reject) => {
    running.lost.addEventListener("abort", () => reject(running.lost.reason), { once: true });
  });
  const left = await Promise.race([running.stopWithin(graceMs), lost]);
  if (left.length === 0) return;
  const why = `a reconcile does not heed its signal: ${left.join(", ")}`;
  throw new OperatorError("STOPPED", `Cannot stop operator "${name}" within ${graceMs / 1_000} s: ${why}`);
}
