import type { WorkloadOptions } from "@kubewright/cluster";
import type { Logger } from "@kubewright/core/log";
import { type Duration, durationMs } from "@kubewright/core/meta";
import {
  type AnyKind,
  type Client,
  type ConditionsOf,
  createClient,
  type NameOf,
  type Operator,
  type RunningOperator,
} from "kubewright";
import { type PermissionLog, RecordingTransport } from "../permissions/index.js";
import type { Backend } from "./backend.js";
import { CountingTransport } from "./counting-transport.js";
import { startEmbeddedBackend } from "./embedded-backend.js";
import { startRealBackend } from "./real-backend.js";
import { RunLog } from "./run-log.js";
import { advance, type SettleSubject, settle } from "./settle.js";
import { StaleReadWarnings } from "./stale-read-warning.js";

/** Options of {@link testCluster}. */
export interface TestClusterOptions {
  /** The kind of cluster. @default "embedded", or the environment variable KUBEWRIGHT_TEST_CLUSTER */
  readonly on?: "embedded" | "real";
  /**
   * Workload controllers, scheduler and simulated nodes of the embedded cluster. By default they start with the first object that needs them;
   * `true`, or options, start them at once, with their nodes and the kind PodStage. A real control plane has none.
   * @default { start: "when needed" }
   */
  readonly workloads?: boolean | WorkloadOptions;
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
  /** The operator's logger. @default no log */
  readonly logger?: Logger;
  /**
   * Called with what a test can find out about the operator and that no assertion fails on, each once: reads from the server that nothing watches.
   * @default a warning of the process
   */
  readonly onWarning?: (warning: string) => void;
  /** Records the permissions that the operator uses. */
  readonly permissions?: PermissionLog;
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
  /** The running operator; undefined before it is started. */
  readonly running: RunningOperator | undefined;
  /**
   * Whether dependents of deleted owners are garbage-collected. False on a real control plane without kube-controller-manager: tests that need it
   * must skip themselves.
   */
  readonly collectsGarbage: boolean;
  /** Whether Pods are created and become ready. False on a real control plane, which has no nodes: tests that need it must skip themselves. */
  readonly runsPods: boolean;
  /** Number of requests of the operator, watches included. */
  readonly operatorRequests: number;
  /** Starts the operator after `start: false` or `stopOperator()`. */
  startOperator(): Promise<void>;
  /** Stops the operator; the cluster keeps running. */
  stopOperator(): Promise<void>;
  /**
   * Resolves when no reconcile runs, every watch has delivered all events, every queue is empty but for delayed keys, and timers due within the
   * horizon have fired. Rejects with NOT_SETTLED and the pending work after the timeout; and when an object is reconciled more than `maxRuns` times,
   * with the objects, the causes, the writes, and what to change.
   */
  settle(): Promise<void>;
  /** Advances the clock, and settles after each timer that fires: `advance("30s")`. Rejects as `settle` does. */
  advance(time: Duration): Promise<void>;
  /** The conditions of an object by type. */
  conditions<K extends AnyKind>(kind: K, name: NameOf<K>): Promise<ConditionsByType<K>>;
}

/**
 * Starts a cluster for one test, installs the operator's CRDs, and starts the operator. Resolves when its caches are synced.
 *
 * @example
 * await using cluster = await testCluster(websiteOperator);
 * await cluster.create(Website, { metadata: { name: "shop" }, spec: { image: "shop:1" } });
 * await cluster.settle();
 */
export async function testCluster(operator: Operator, options: TestClusterOptions = {}): Promise<TestCluster> {
  const { on = process.env["KUBEWRIGHT_TEST_CLUSTER"] === "real" ? "real" : "embedded", start = true } = options;
  const { workloads = { start: "when needed" } } = options;
  const backend = await (on === "real" ? startRealBackend(operator) : startEmbeddedBackend(operator, workloads));
  const harness = new Harness(operator, backend, options);
  try {
    if (start) await harness.startOperator();
  } catch (error) {
    await backend.close();
    throw error;
  }
  return harness.asCluster();
}

class Harness {
  readonly #operator: Operator;
  readonly #backend: Backend;
  readonly #options: TestClusterOptions;
  readonly #transport: CountingTransport;
  readonly #subject: SettleSubject;
  readonly #runs = new RunLog();
  readonly #staleReads: StaleReadWarnings;
  #running: RunningOperator | undefined;
  #passed = 0;

  constructor(operator: Operator, backend: Backend, options: TestClusterOptions) {
    this.#operator = operator;
    this.#backend = backend;
    this.#options = options;
    this.#staleReads = new StaleReadWarnings(options.onWarning);
    const { operatorTransport } = backend;
    const { permissions, maxRuns = 1_000 } = options;
    const kinds = operator.controllers.map(({ kind }) => kind);
    this.#transport = new CountingTransport(
      permissions ? new RecordingTransport(operatorTransport, permissions, kinds) : operatorTransport,
      this.#runs,
    );
    this.#subject = {
      clock: backend.clock,
      busy: () => [...backend.busy(), ...this.#busyOperator()],
      activity: () => this.#passed + this.#transport.requests + this.#transport.events,
      quietMs: backend.countsItself ? 0 : durationMs("quiet", options.quiet ?? "1s"),
      patienceMs: durationMs("settleTimeout", options.settleTimeout ?? "30s"),
      runs: this.#runs,
      maxRuns,
    };
  }

  async startOperator(): Promise<void> {
    if (this.#running !== undefined) throw new TypeError("Cannot start the operator: it is already running");
    const { clock, namespace, isConfined } = this.#backend;
    this.#running = await this.#operator.start({
      transport: this.#transport,
      clock,
      onStage: (stage, detail) => {
        this.#passed++;
        if (stage !== "reconcile") return;
        if (detail.read === undefined) this.#runs.recordRun(detail);
        else this.#staleReads.report(detail);
      },
      ...(isConfined && { namespace }),
      ...(this.#options.logger && { logger: this.#options.logger }),
    });
  }

  async stopOperator(): Promise<void> {
    const running = this.#running;
    this.#running = undefined;
    await running?.stop();
  }

  /** A client with the additional members of a test cluster. */
  asCluster(): TestCluster {
    const self = this;
    const client = createClient(this.#backend.transport, { namespace: this.#backend.namespace });
    const members: Omit<TestCluster, keyof Client> = {
      get running() {
        return self.#running;
      },
      collectsGarbage: this.#backend.collectsGarbage,
      runsPods: this.#backend.runsPods,
      get operatorRequests() {
        return self.#transport.requests;
      },
      startOperator: () => self.startOperator(),
      stopOperator: () => self.stopOperator(),
      settle: () => settle(self.#subject, durationMs("horizon", self.#options.horizon ?? "10s")),
      advance: (time) => advance(self.#subject, durationMs("advance", time)),
      async conditions(kind, name) {
        const object: { status?: { conditions?: { type: string }[] } } = await client.get(kind, name);
        return Object.fromEntries(
          (object.status?.conditions ?? []).map((condition) => [condition.type, condition]),
        ) as never;
      },
      async [Symbol.asyncDispose]() {
        await self.stopOperator();
        await self.#backend.close();
      },
    };
    // Not Object.assign, which would evaluate the getters.
    return Object.defineProperties(client, Object.getOwnPropertyDescriptors(members)) as TestCluster;
  }

  #busyOperator(): string[] {
    const { pending } = this.#transport;
    return [
      ...(this.#running?.busy() ?? []),
      ...(pending > 0 ? [`${pending} requests of the operator are pending`] : []),
    ];
  }
}
