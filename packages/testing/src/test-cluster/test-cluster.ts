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
import { advance, type SettleSubject, settle } from "./settle.js";

/** How a test cluster is made. */
export interface TestClusterOptions {
  /** Where it runs. @default "embedded", or what the environment variable KUBEWRIGHT_TEST_CLUSTER says */
  readonly on?: "embedded" | "real";
  /**
   * What makes workloads of objects in the embedded cluster: controllers, scheduler, and simulated nodes on which pods become ready. By default they
   * begin when the first object calls for them; `true`, or options, start them at once, with their nodes and the kind PodStage. A real server
   * has none. @default { start: "when needed" }
   */
  readonly workloads?: boolean | WorkloadOptions;
  /** Whether the operator is started at once. @default true */
  readonly start?: boolean;
  /** Timers due within this time count as soon. @default "10s" */
  readonly horizon?: Duration;
  /** On a real server: how long nothing may happen until it counts as rest. @default "1s" */
  readonly quiet?: Duration;
  /** How long `settle` waits in real time before it gives up. @default "30s" */
  readonly settleTimeout?: Duration;
  /** Of the operator. @default nothing is logged */
  readonly logger?: Logger;
  /** Takes down for which permissions the operator asks. */
  readonly permissions?: PermissionLog;
}

/** The conditions of an object by their type. */
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
 * A cluster with one operator in it, for one test. It is a client too, as an administrator, in the cluster's own namespace.
 *
 * Virtual time: nothing happens by the clock unless `settle` or `advance` moves it. The same test runs on the embedded cluster and on a
 * real one, where time is skipped for the operator only.
 */
export interface TestCluster extends Client, AsyncDisposable {
  /** The operator; undefined before it was started. */
  readonly running: RunningOperator | undefined;
  /**
   * Whether what an owner leaves behind is deleted. False only on a real server without a controller-manager: a test that needs it skips
   * itself then.
   */
  readonly collectsGarbage: boolean;
  /** Whether workloads become pods, and pods become ready. False on a real server, which has no nodes: a test that needs it skips itself then. */
  readonly runsPods: boolean;
  /** How many requests the operator has made, watches included. */
  readonly operatorRequests: number;
  /** Starts the operator, when `start: false` did not. */
  startOperator(): Promise<void>;
  /** Stops the operator and leaves the cluster as it is: for what happens while it is away. */
  stopOperator(): Promise<void>;
  /**
   * Resolves at rest: no reconcile runs, every watch has delivered all there is, every queue is empty but for delayed keys, and timers due
   * within the horizon have fired. Rejects with NOT_SETTLED, and names what is busy, when that does not come.
   */
  settle(): Promise<void>;
  /** Moves time on, and settles on the way: `advance("30s")`. */
  advance(time: Duration): Promise<void>;
  /** The conditions of an object by their type. */
  conditions<K extends AnyKind>(kind: K, name: NameOf<K>): Promise<ConditionsByType<K>>;
}

/**
 * A fresh cluster with the operator's definitions installed and the operator running, its caches synced.
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
  #running: RunningOperator | undefined;
  #traced = 0;

  constructor(operator: Operator, backend: Backend, options: TestClusterOptions) {
    this.#operator = operator;
    this.#backend = backend;
    this.#options = options;
    const { operatorTransport } = backend;
    const { permissions } = options;
    const kinds = operator.controllers.map(({ kind }) => kind);
    this.#transport = new CountingTransport(
      permissions ? new RecordingTransport(operatorTransport, permissions, kinds) : operatorTransport,
    );
    this.#subject = {
      clock: backend.clock,
      busy: () => [...backend.busy(), ...this.#busyOperator()],
      activity: () => this.#traced + this.#transport.requests + this.#transport.events,
      quietMs: backend.countsItself ? 0 : durationMs("quiet", options.quiet ?? "1s"),
      patienceMs: durationMs("settleTimeout", options.settleTimeout ?? "30s"),
    };
  }

  async startOperator(): Promise<void> {
    if (this.#running !== undefined) throw new TypeError("Cannot start the operator: it runs");
    const { clock, namespace, isConfined } = this.#backend;
    this.#running = await this.#operator.start({
      transport: this.#transport,
      clock,
      trace: () => {
        this.#traced++;
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

  /** A client with the members of a test cluster added. */
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
    // Not Object.assign: it would read the getters once, now.
    return Object.defineProperties(client, Object.getOwnPropertyDescriptors(members)) as TestCluster;
  }

  #busyOperator(): string[] {
    const underWay = this.#transport.underWay;
    return [
      ...(this.#running?.busy() ?? []),
      ...(underWay > 0 ? [`${underWay} requests of the operator are under way`] : []),
    ];
  }
}
