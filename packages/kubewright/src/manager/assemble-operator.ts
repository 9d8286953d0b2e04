import { hostname } from "node:os";
import { systemClock } from "@kubewright/core/clock";
import { OperatorError } from "@kubewright/core/errors";
import { callSafely, type Logger, safeLogger, silentLogger } from "@kubewright/core/log";
import type { Transport } from "@kubewright/core/transport";
import { InformerSet } from "../cache/index.js";
import { type Client, createClient, type StageListener } from "../client/index.js";
import { type AnyKind, isResource } from "../definition/index.js";
import { RunHistory } from "../history/index.js";
import {
  type Election,
  FencedTransport,
  type LeaderElectionOptions,
  type LeaseSettings,
  LocalElection,
  leaseSettings,
} from "../lease/index.js";
import { MeteredTransport, type OperatorMetrics, type UserMetric } from "../metrics/index.js";
import {
  type AnyController,
  CachedKinds,
  type Controller,
  ControllerLoop,
  type RawController,
  servesFinalizer,
} from "../reconcile/index.js";
import { Sharding, type ShardingSettings, shardingSettings } from "../sharding/index.js";
import type { OperatorTracing } from "../tracing/index.js";
import { CachedReads, readerOf, type Webhook } from "../webhook/index.js";
import { ClusterSet, type WrapTransport } from "./cluster-set.js";
import { ConditionCounts } from "./condition-counts.js";
import { metricsHooks } from "./controller-metrics.js";
import { spansOf } from "./controller-spans.js";
import { DefinitionWatch } from "./definition-watch.js";
import { installAtStart } from "./install-at-start.js";
import { missingKinds, requireServed } from "./preflight.js";
import type { StartOptions } from "./start-options.js";
import type { Task } from "./task.js";
import { TaskRunner } from "./task-runner.js";

/** Makes the election of a process on a separate thread; undefined if it has to run on this one. */
export type ElectionMaker = (settings: LeaseSettings) => Election | undefined;

/** The parts of a running operator. */
export interface OperatorParts {
  readonly name: string;
  readonly logger: Logger;
  readonly clusters: ClusterSet;
  /** Its requests are not fenced. */
  readonly client: Client;
  readonly informers: InformerSet;
  /** Undefined where it is switched off. */
  readonly history: RunHistory | undefined;
  /** Changes when controllers are added and removed. */
  readonly loops: ControllerLoop[];
  readonly makeLoop: (controller: AnyController) => ControllerLoop;
  readonly tasks: readonly TaskRunner[];
  /** Kinds that the server did not serve at the start, by id: the start does not wait for them. */
  readonly missing: ReadonlySet<string>;
  readonly requireKinds: (kinds: readonly AnyKind[]) => Promise<void>;
  /** The controller was removed. */
  readonly forget: (controller: AnyController) => void;
  readonly election: Election | undefined;
  /** With sharding; the election is then for this replica's own Lease. */
  readonly sharding: Sharding | undefined;
  /** With `missingKinds: "wait"`. */
  readonly definitions: DefinitionWatch | undefined;
  readonly informersEnd: AbortController;
  readonly informersEnded: Promise<void>;
}

/** What can be started: an `Operator`. */
export interface AssembledOperator {
  readonly name: string;
  readonly controllers: readonly Controller[];
  readonly rawControllers: readonly RawController[];
  readonly webhooks: readonly Webhook[];
  readonly tasks: readonly Task[];
  readonly metrics: readonly UserMetric[];
}

/**
 * Assembles an operator after its CRDs were installed and its kinds are served. When it resolves, the informers run, and the controllers and the
 * election do not. When it rejects, nothing of it runs.
 */
export async function assembleOperator(
  operator: AssembledOperator,
  options: StartOptions,
  makeElection: ElectionMaker | undefined,
): Promise<OperatorParts> {
  const { clock = systemClock, logger = silentLogger, random = Math.random, metrics, signal } = options;
  const { runHistory = true, failureEvents = true, transportFor } = options;
  const log = safeLogger(logger).child({ operator: operator.name });
  const onStage = options.onStage && safeListener(options.onStage, log);
  const controllers: readonly AnyController[] = [...operator.controllers, ...operator.rawControllers];
  const tracing = options.tracing === true ? await (await import("../tracing/index.js")).createTracing() : undefined;
  const clusters = new ClusterSet(options, wrapping(options, tracing));
  const { transport, namespaces } = clusters;
  const home = namespaces.get("")?.[0];
  const clientOver = (over: Transport): Client =>
    createClient(over, {
      ...(home !== undefined && { namespace: home }),
      onWarning: (warning) => log.warn({ warning }, "Warning from the API server"),
    });
  const client = clientOver(transport);
  for (const controller of controllers) clusters.require(controller);
  const shared = await sharedSettings(options, operator);
  const settings = shared?.member ?? (await electionSettings(options.leaderElection, operator.name));
  const election =
    settings && (makeElection?.(settings) ?? new LocalElection({ settings, client, clock, random, logger: log }));
  const sharding =
    shared && election
      ? new Sharding({ settings: shared, client, clock, random, logger: log, leadership: election.leadership })
      : undefined;
  const ownKinds = ownKindsOf(operator);
  if (options.installCRDs !== undefined && options.installCRDs !== false) {
    const how = { client, clock, logger: log, fieldManager: operator.name, ...(signal && { signal }) };
    await installAtStart(ownKinds, options.installCRDs, how);
  }
  const { webhookHandler } = options;
  const webhooks = webhookHandler === undefined ? [] : operator.webhooks;
  const readers = [...controllers, ...webhooks.map(readerOf)];
  const kinds = readers.flatMap((reader) => new CachedKinds(reader).all.map(({ kind }) => kind));
  const { missingKinds: whenMissing = "fail" } = options;
  const waits = whenMissing === "wait";
  const missing = waits ? await missingKinds(kinds, transport, signal) : [];
  if (!waits) await requireServed(kinds, transport, signal);

  for (const metric of operator.metrics) await registerMetric(metrics, metric);
  const history = runHistory ? new RunHistory({ onRun: options.onRun }) : undefined;
  const common = { clock, random, ...(onStage && { onStage }) };
  // Caches sync before this process leads; requests of controllers pass the fence.
  const fenced = election ? clientOver(new FencedTransport(transport, election.leadership)) : client;
  const definitions = waits
    ? new DefinitionWatch({ client, clock, random, logger: log, informers: () => informers })
    : undefined;
  const informers: InformerSet = new InformerSet({
    ...common,
    client,
    logger: log,
    managed: operator.controllers.flatMap(({ children }) => children.map(({ kind }) => kind)),
    namespaces,
    ...(options.streaming !== undefined && { streaming: options.streaming }),
    ...(definitions && { onFailure: (kind, error) => definitions.failed(kind, error) }),
  });
  const conditions = new ConditionCounts(informers);
  const makeLoop = (controller: AnyController): ControllerLoop => {
    clusters.require(controller);
    const loop = new ControllerLoop({
      ...common,
      client: transportFor ? clientOver(transportFor(controller)) : controller.onEveryReplica ? client : fenced,
      controller,
      sharesKind: () => loops.filter((other) => reconcilesSame(other.controller, controller)).length > 1,
      servesFinalizer: (finalizer) => loops.some((other) => servesFinalizer(other.controller, finalizer)),
      informers,
      logger: log,
      instance: `${controller.name}-${hostname()}`,
      ...(history && { history }),
      failureEvents,
      ...metricsHooks(controller, metrics),
      ...(tracing && { around: spansOf(controller, tracing) }),
      ...(sharding && !controller.onEveryReplica && { ownership: sharding.ownership }),
    });
    const series = metrics?.controller(controller.name, controller.workers);
    series?.watchQueue(loop.queue);
    series?.watchFailing(() => loop.failing.size);
    if (series !== undefined) conditions.follow(controller);
    return loop;
  };
  const loops: ControllerLoop[] = controllers.map(makeLoop);
  // Not fenced: every replica serves webhooks.
  if (webhooks.length > 0) webhookHandler?.connect(new CachedReads(webhooks, informers, client));
  const tasks = operator.tasks.map((task) => {
    const over = task.onEveryReplica === true ? client : fenced;
    const failed = metrics && (() => metrics.taskFailed(task.name));
    return new TaskRunner({ task, client: over, clock, logger: log, failed });
  });
  metrics?.watchCaches(() =>
    informers.all.map(({ kind, size, approximateBytes, activity }) => ({
      kind: kind.id,
      objects: size,
      bytes: approximateBytes,
      watchRestarts: activity.watches,
      relists: activity.lists,
      expired: activity.expired,
      lastEventAgeMs: clock.monotonic() - activity.lastEventMs,
    })),
  );
  metrics?.watchConditions(() => conditions.gauges());
  const informersEnd = new AbortController();
  return {
    name: operator.name,
    logger: log,
    clusters,
    client,
    informers,
    history,
    loops,
    makeLoop,
    tasks,
    missing: new Set(missing.map(({ id }) => id)),
    requireKinds: (wanted) => requireServed(wanted, transport, undefined),
    forget: ({ name, workers }) => {
      metrics?.controller(name, workers).removed();
      history?.forget(name);
      conditions.forget(name);
    },
    election,
    sharding,
    definitions,
    informersEnd,
    informersEnded: informers.run(informersEnd.signal),
  };
}

/** The kinds whose CRDs the operator installs. */
function ownKindsOf({ controllers, webhooks }: AssembledOperator): readonly AnyKind[] {
  return [
    ...controllers.map(({ kind }) => kind),
    ...webhooks.flatMap(({ kind }) => (kind !== undefined && isResource(kind) ? [kind] : [])),
  ];
}

/** Whether two controllers reconcile the same kind, in any version. */
function reconcilesSame({ kind: a }: AnyController, { kind: b }: AnyController): boolean {
  return a !== undefined && a.kind === b?.kind && a.group === b.group && a.cluster === b.cluster;
}

/** Wraps the transport to a cluster with spans and metrics, where enabled. */
function wrapping({ metrics, clock = systemClock }: StartOptions, tracing: OperatorTracing | undefined): WrapTransport {
  return (transport, host) => {
    const traced = tracing ? tracing.transport(transport) : transport;
    return metrics ? new MeteredTransport(traced, metrics, { host, clock }) : traced;
  };
}

async function sharedSettings(
  { sharding, leaderElection }: StartOptions,
  { name, tasks }: AssembledOperator,
): Promise<ShardingSettings | undefined> {
  if (sharding === undefined || sharding === false) return undefined;
  if (leaderElection !== undefined && leaderElection !== false) {
    const why = "with `leaderElection` one replica does all of it; choose one of the two";
    throw new OperatorError("CONFIG_INVALID", `Cannot shard operator "${name}": ${why}`);
  }
  const alone = tasks.find(({ onEveryReplica }) => onEveryReplica !== true);
  if (alone !== undefined) {
    const why = `no replica is the leader, so task "${alone.name}" must run \`onEveryReplica\``;
    throw new OperatorError("CONFIG_INVALID", `Cannot shard operator "${name}": ${why}`);
  }
  return shardingSettings(sharding === true ? {} : sharding, name);
}

async function electionSettings(
  wanted: boolean | LeaderElectionOptions | undefined,
  operatorName: string,
): Promise<LeaseSettings | undefined> {
  if (wanted === undefined || wanted === false) return undefined;
  return leaseSettings(wanted === true ? {} : wanted, operatorName);
}

async function registerMetric(metrics: OperatorMetrics | undefined, metric: UserMetric): Promise<void> {
  try {
    metrics?.register(metric);
  } catch (cause) {
    const { name } = await metric.get();
    const why = "a metric of that name exists; create it once, with a name of your own";
    throw new OperatorError("CONFIG_INVALID", `Cannot serve metric "${name}": ${why}`, { cause });
  }
}

/** What a listener throws or rejects with is logged once: it is called thousands of times. */
function safeListener(listener: StageListener, log: Logger): StageListener {
  let hasFailed = false;
  const failed = (err: unknown): void => {
    if (!hasFailed) log.error({ err }, "A listener of stages failed; further failures are not logged");
    hasFailed = true;
  };
  return (stage, detail) => callSafely(() => listener(stage, detail), failed);
}
