import type { Snapshot, WorkloadOptions } from "@kubewright/cluster";
import type { Clock } from "@kubewright/core/clock";
import { formatKey } from "@kubewright/core/identity";
import { type Duration, durationMs } from "@kubewright/core/meta";
import type { Transport } from "@kubewright/core/transport";
import {
  type AnyKind,
  type Client,
  type ConditionsOf,
  crdOf,
  createClient,
  type NameOf,
  type Operator,
  type RecordedRun,
  type RunningOperator,
} from "kubewright";
import { requireValidRules } from "kubewright/crd";
import { applyManifests, type ManifestPaths } from "./apply-manifests.js";
import type { Backend, ServedCluster } from "./backend.js";
import { definedKinds } from "./defined-kinds.js";
import { describeRuns } from "./describe-runs.js";
import { startEmbeddedBackend } from "./embedded-backend.js";
import { type OperatorTestOptions, OperatorUnderTest } from "./operator-under-test.js";
import { keepWhenFailing, pauseMsOf } from "./pause.js";
import { startRealBackend } from "./real-backend.js";
import { reportWhenFailing } from "./report-runs.js";
import { RunLog } from "./run-log.js";
import { advance, type SettleSubject, settle } from "./settle.js";
import { StaleReadWarnings } from "./stale-read-warning.js";
import { currentRunner, type TestRunner } from "./test-runner.js";

/** Options of {@link testCluster}. */
export interface TestClusterOptions extends ManifestPaths, OperatorTestOptions {
  /** The kind of cluster. @default "embedded", or the environment variable KUBEWRIGHT_TEST_CLUSTER */
  readonly on?: "embedded" | "real";
  /**
   * Workload controllers, scheduler and simulated nodes of the embedded cluster. By default they start with the first object that needs them;
   * `true`, or options, start them at once, with their nodes and the kind PodStage. A real control plane has none.
   * @default { start: "when needed" }
   */
  readonly workloads?: boolean | WorkloadOptions;
  /**
   * Whether the operators' admission webhooks are called: in process by the embedded cluster, over HTTPS by a real one. They are served while the operator is
   * stopped too. @default true
   */
  readonly webhooks?: boolean;
  /** Whether the operator is started. @default true */
  readonly start?: boolean;
  /** `settle` fires timers due within this time. @default "10s" */
  readonly horizon?: Duration;
  /** On a real cluster: time without activity after which it counts as settled. @default "1s" */
  readonly quiet?: Duration;
  /** Timeout of `settle` in real time; of `advance` for each 10 s that the clock advances. @default "30s" */
  readonly settleTimeout?: Duration;
  /**
   * How often one object may be reconciled during `settle`, and for each 10 s that `advance` advances the clock. Beyond that its controller never
   * rests, and they reject. @default 1_000
   */
  readonly maxRuns?: number;
  /**
   * Called with what a test can find out about the operator and that no assertion fails on, each once: reads from the server that nothing watches.
   * @default a warning of the process
   */
  readonly onWarning?: (warning: string) => void;
  /**
   * Makes random numbers reproducible: generated names, uids and jitter of the embedded cluster, and jitter of the operator. On a real cluster only the
   * latter. @default unpredictable numbers
   */
  readonly seed?: number;
}

/** Options of `settle` and `advance` of a {@link TestCluster}. */
export interface SettleOptions {
  /** Whether they resolve although the last run of an object failed. @default false */
  readonly allowFailing?: boolean;
}

/** The conditions of an object by type. */
export type ConditionsByType<K extends AnyKind> = {
  readonly [T in keyof ConditionsOf<K>]?: {
    readonly status: "True" | "False" | "Unknown";
    readonly reason: ConditionsOf<K>[T];
    readonly message: string;
    readonly lastTransitionTime: string;
    readonly observedGeneration?: number;
  };
};

/**
 * A cluster with one operator, for one test. It is also a client, as cluster administrator, in the namespace of the test.
 *
 * Virtual time: timers fire only when `settle` or `advance` move the clock. The same test runs on the embedded cluster and on a real one, where
 * time is skipped for the operator only.
 */
export interface TestCluster extends Client, AsyncDisposable {
  /** The running operator, the first of several; undefined before it is started. */
  readonly running: RunningOperator | undefined;
  /** The running operators by name. */
  readonly runningOperators: ReadonlyMap<string, RunningOperator>;
  /** Sends requests as cluster administrator, for clients of the test. */
  readonly transport: Transport;
  /** The clock of operators and of the embedded cluster, which only `settle` and `advance` move. */
  readonly clock: Clock;
  /**
   * Whether dependents of deleted owners are garbage-collected. False on a real control plane without kube-controller-manager: tests that need it
   * must skip themselves.
   */
  readonly collectsGarbage: boolean;
  /** Whether Pods are created and become ready. False on a real control plane, which has no nodes: tests that need it must skip themselves. */
  readonly runsPods: boolean;
  /** Number of requests of the operator, watches included. */
  readonly operatorRequests: number;
  /** Starts the operator after `start: false` or `stopOperator()`; of several all that do not run, or the named one. */
  startOperator(name?: string): Promise<void>;
  /** Stops the operator, of several all or the named one; the cluster keeps running. */
  stopOperator(name?: string): Promise<void>;
  /** Serves the cluster over HTTPS until it is disposed, for kubectl and other programs: `kubectl --kubeconfig <path> get all`. */
  listen(): Promise<ServedCluster>;
  /**
   * All objects, which `restore` brings back. It costs no copies. Rejects with NOT_SUPPORTED on a real cluster.
   */
  snapshot(): Promise<Snapshot>;
  /**
   * Brings the objects of a snapshot of this cluster back, with uids and times, and deletes all others. The operator sees this as changes; the clock is not
   * set back. Rejects with NOT_SUPPORTED on a real cluster.
   */
  restore(snapshot: Snapshot): Promise<void>;
  /**
   * Resolves when no reconcile runs, every watch has delivered all events, every queue is empty but for delayed keys, and timers due within the
   * horizon have fired. Rejects with NOT_SETTLED and the pending work after the timeout; and when an object is reconciled more than `maxRuns` times,
   * with the objects, the causes, the writes, and what to change.
   *
   * Rejects with NOT_SETTLED also if the last run of an object failed, with controller, key, message and the number of failures, and the errors as
   * cause; unless `allowFailing`.
   *
   * Rejects with API_FORBIDDEN as soon as RBAC rejects a request of the operator, with the declaration that would allow it.
   */
  settle(options?: SettleOptions): Promise<void>;
  /** Advances the clock, and settles after each timer that fires: `advance("30s")`. Rejects as `settle` does. */
  advance(time: Duration, options?: SettleOptions): Promise<void>;
  /**
   * The last ten runs of an object by the running operators, the oldest first: causes, reads, writes, outcome. With several controllers of the kind, one
   * controller after the other. `formatRun` of `kubewright` prints one.
   */
  runs<K extends AnyKind>(kind: K, name: NameOf<K>): readonly RecordedRun<ConditionsOf<K>>[];
  /** The conditions of an object by type. */
  conditions<K extends AnyKind>(kind: K, name: NameOf<K>): Promise<ConditionsByType<K>>;
}

/**
 * Starts a cluster for one test, installs the operator's CRDs, applies manifests, and starts the operator, or several, each as a ServiceAccount with
 * exactly its RBAC rules. Resolves when caches are synced. Rejects with API_FORBIDDEN if an operator may not read a kind that it caches.
 *
 * @example
 * await using cluster = await testCluster(websiteOperator);
 * await cluster.create(Website, { metadata: { name: "shop" }, spec: { image: "shop:1" } });
 * await cluster.settle();
 */
export async function testCluster(
  operators: Operator | readonly Operator[],
  options: TestClusterOptions = {},
): Promise<TestCluster> {
  const { on = process.env["KUBEWRIGHT_TEST_CLUSTER"] === "real" ? "real" : "embedded", start = true } = options;
  const { workloads = { start: "when needed" }, seed, webhooks = true, rules } = options;
  const all = "controllers" in operators ? [operators] : operators;
  for (const kind of all.flatMap(definedKinds)) if (!kind.definition.external) requireValidRules(crdOf(kind));
  const rulesOf = rules ?? ((operator: Operator) => operator.rules());
  const backend = await (on === "real"
    ? startRealBackend(all, { seed, webhooks, rulesOf })
    : startEmbeddedBackend(all, { workloads, seed, webhooks, rulesOf }));
  const harness = new Harness(all, backend, options);
  try {
    const client = createClient(backend.transport, { namespace: backend.namespace });
    await applyManifests(client, all, options);
    if (start) await harness.startOperators();
  } catch (error) {
    await harness.close();
    throw error;
  }
  const runner = await currentRunner(process.env);
  const cluster = harness.asCluster(runner);
  const ms = pauseMsOf(process.env);
  if (ms > 0) keepWhenFailing(cluster, { ms, runner, describeRuns: () => harness.describeRuns() });
  else reportWhenFailing(runner, () => harness.describeRuns());
  return cluster;
}

class Harness {
  readonly #operators: readonly OperatorUnderTest[];
  readonly #backend: Backend;
  readonly #options: TestClusterOptions;
  readonly #subject: SettleSubject;

  constructor(operators: readonly Operator[], backend: Backend, options: TestClusterOptions) {
    const runs = new RunLog();
    const staleReads = new StaleReadWarnings(options.onWarning);
    this.#operators = operators.map((one) => new OperatorUnderTest(one, backend, options, { runs, staleReads }));
    this.#backend = backend;
    this.#options = options;
    this.#subject = {
      clock: backend.clock,
      busy: () => [...backend.busy(), ...this.#operators.flatMap((one) => one.busy())],
      activity: () => this.#operators.reduce((sum, { activity }) => sum + activity, 0),
      quietMs: backend.countsItself ? 0 : durationMs("quiet", options.quiet ?? "1s"),
      patienceMs: durationMs("settleTimeout", options.settleTimeout ?? "30s"),
      isDenied: () => this.#operators.some(({ denied }) => denied.any),
      runs,
      maxRuns: options.maxRuns ?? 1_000,
    };
  }

  async startOperators(name?: string): Promise<void> {
    const stopped = this.#operators.filter(({ running }) => running === undefined);
    // None to start is a mistake of the test: starting the first one reports it.
    const wanted = stopped.length === 0 ? this.#operators : stopped;
    for (const operator of name === undefined ? wanted : [this.#named(name)]) await operator.start();
  }

  async stopOperators(name?: string): Promise<void> {
    for (const operator of name === undefined ? this.#operators : [this.#named(name)]) await operator.stop();
  }

  /** Throws what was denied since the last `settle`. */
  async close(): Promise<void> {
    const denied = await this.#takeDenied();
    await this.stopOperators();
    await this.#backend.close();
    if (denied) throw denied;
  }

  async #takeDenied(): Promise<Error | undefined> {
    for (const { denied } of this.#operators) {
      const error = await denied.takeError();
      if (error) return error;
    }
    return undefined;
  }

  /** The last runs of the objects of this test, for people. */
  describeRuns(): string {
    return describeRuns(this.#operators.flatMap((operator) => [...operator.recordedRuns()]));
  }

  /** Without a runner that reports the end of the test, the runs are a part of the error. */
  async #settling(
    runner: TestRunner | undefined,
    how: SettleOptions | undefined,
    settled: Promise<void>,
  ): Promise<void> {
    try {
      await settled.catch(async (error: unknown) => {
        throw (await this.#takeDenied()) ?? error;
      });
      const denied = await this.#takeDenied();
      if (denied) throw denied;
      this.#checkFailing(how);
    } catch (error) {
      if (runner === undefined && error instanceof Error) error.message += `\n${this.describeRuns()}`;
      throw error;
    }
  }

  /** A client with the additional members of a test cluster. */
  asCluster(runner: TestRunner | undefined): TestCluster {
    const self = this;
    const { transport, namespace, clock, collectsGarbage, runsPods } = this.#backend;
    const client = createClient(transport, { namespace });
    const members: Omit<TestCluster, keyof Client> = {
      get running() {
        return self.#operators[0]?.running;
      },
      get runningOperators() {
        return new Map(self.#operators.flatMap(({ name, running }) => (running ? [[name, running] as const] : [])));
      },
      transport,
      clock,
      collectsGarbage,
      runsPods,
      get operatorRequests() {
        return self.#operators.reduce((sum, { requests }) => sum + requests, 0);
      },
      startOperator: (name) => self.startOperators(name),
      stopOperator: (name) => self.stopOperators(name),
      listen: () => self.#backend.listen(),
      snapshot: () => self.#backend.snapshot(),
      restore: (snapshot) => self.#backend.restore(snapshot),
      settle(how) {
        const horizonMs = durationMs("horizon", self.#options.horizon ?? "10s");
        return self.#settling(runner, how, settle(self.#subject, horizonMs));
      },
      async advance(time, how) {
        return self.#settling(runner, how, advance(self.#subject, durationMs("advance", time)));
      },
      runs(kind, name) {
        const of = { kind: kind.id, key: keyIn(client.namespace, kind, name) };
        return self.#operators.flatMap(({ running }) => [...(running?.runsOf(of) ?? [])]) as never;
      },
      async conditions(kind, name) {
        const object: { status?: { conditions?: { type: string }[] } } = await client.get(kind, name);
        return Object.fromEntries(
          (object.status?.conditions ?? []).map((condition) => [condition.type, condition]),
        ) as never;
      },
      [Symbol.asyncDispose]: () => self.close(),
    };
    // Not Object.assign, which would evaluate the getters.
    return Object.defineProperties(client, Object.getOwnPropertyDescriptors(members)) as TestCluster;
  }

  #named(name: string): OperatorUnderTest {
    const found = this.#operators.find((operator) => operator.name === name);
    if (found) return found;
    const names = this.#operators.map((operator) => `"${operator.name}"`).join(", ");
    throw new TypeError(`The test cluster has no operator "${name}", only ${names}`);
  }

  #checkFailing({ allowFailing = false }: SettleOptions = {}): void {
    if (!allowFailing) for (const operator of this.#operators) operator.checkFailing();
  }
}

/** The key of an object, as the operator counts its runs. */
function keyIn(defaultNamespace: string, kind: AnyKind, named: NameOf<AnyKind>): string {
  const { name, namespace = defaultNamespace } = typeof named === "string" ? { name: named } : named;
  return formatKey({ name, namespace: kind.scope === "Cluster" ? "" : namespace });
}
