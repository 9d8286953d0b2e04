import type { Clock } from "@kubewright/core/clock";
import type { Logger } from "@kubewright/core/log";
import type { Duration } from "@kubewright/core/meta";
import type { Transport } from "@kubewright/core/transport";
import type { StageListener } from "../client/index.js";
import type { RecordedRun } from "../history/index.js";
import type { LeaderElectionOptions } from "../lease/index.js";
import type { OperatorMetrics } from "../metrics/index.js";
import type { ShardingOptions } from "../sharding/index.js";
import type { WebhookHandler } from "../webhook/index.js";
import type { StartInstallOptions } from "./install-crds.js";

/** Another cluster that an operator is started with. */
export interface StartCluster {
  /** Sends requests to its API server. The caller closes it. */
  readonly transport: Transport;
  /** The only namespace, or namespaces, that it watches there. @default all namespaces */
  readonly namespace?: string | readonly string[];
}

/** How an operator is started over a transport. */
export interface StartOptions {
  /** Sends requests to the API server. The caller closes it. */
  readonly transport: Transport;
  /**
   * Sends the requests of one controller's runs, for controllers with identities of their own; caches are shared and use `transport`. The fence of a
   * lease does not apply. The caller closes it. @default transport @experimental
   */
  readonly transportFor?: (controller: { readonly name: string }) => Transport;
  /** @default the machine's time */
  readonly clock?: Clock;
  /** @default nothing is logged */
  readonly logger?: Logger;
  /** Between 0 and 1. @default Math.random */
  readonly random?: () => number;
  /** The only namespace, or namespaces, that it watches; names without a namespace mean the first. @default all namespaces */
  readonly namespace?: string | readonly string[];
  /** Other clusters that its controllers work with, by the names that their kinds give them (`ofCluster`). @default none */
  readonly clusters?: Readonly<Record<string, StartCluster>>;
  /** Applies the operator's CustomResourceDefinitions first. @default false */
  readonly installCRDs?: boolean | StartInstallOptions;
  /**
   * Keeps the last ten runs of each object, in at most 4 MiB, for `RunningOperator.runsOf` and `kubewright why`. @default true
   */
  readonly runHistory?: boolean;
  /** Called with each run that has ended, for a live view; not with `runHistory: false`. What it throws is ignored. @default nothing */
  readonly onRun?: (run: RecordedRun) => void;
  /** Records a Warning event about an object that fails repeatedly: `ReconcileFailed`, `FinalizeFailed`. @default true */
  readonly failureEvents?: boolean;
  /** Called with each datum as it passes a stage. */
  readonly onStage?: StageListener;
  /**
   * Handles the reviews of the operator's webhooks: what `createWebhookHandler(operator)` made. From the start of the operator on, its reads come from the
   * operator's caches. Without it, webhooks are not served. @default none
   */
  readonly webhookHandler?: WebhookHandler;
  /** Counts what the operator does: what `createMetrics` of `kubewright/metrics` made. @default nothing is counted */
  readonly metrics?: OperatorMetrics;
  /**
   * Records an OpenTelemetry span for each reconcile and each request, which carries `traceparent`. Needs the package `@opentelemetry/api` and a
   * configured SDK. @default false
   */
  readonly tracing?: boolean;
  /** Aborts the start. A started operator is stopped with `stop`. */
  readonly signal?: AbortSignal;
  /**
   * Fills caches by streaming lists (WatchList) where the server supports them: fewer requests, and less memory in the server. @default true
   */
  readonly streaming?: boolean;
  /**
   * What to do when the server does not serve a kind. `fail`: the start fails and names it. `wait`: the operator starts, each controller once all kinds
   * that it reads are served; until then `/readyz` ignores those kinds. Watches CRDs, where its Role allows that. @default "fail"
   */
  readonly missingKinds?: "fail" | "wait";
  /** How long the caches may take to sync. @default "2m" */
  readonly cacheSyncTimeout?: Duration;
  /**
   * Reconciles only while it holds a Lease, so that one of several replicas is active. The others wait with synced caches. `true` uses the
   * operator's name and the pod's namespace. @default false
   */
  readonly leaderElection?: boolean | LeaderElectionOptions;
  /**
   * Shards the objects between replicas: each object is reconciled by one of them. `true` uses the operator's name and the pod's namespace.
   * Not together with `leaderElection`. @default false
   */
  readonly sharding?: boolean | ShardingOptions;
}
