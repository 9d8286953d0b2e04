import type { Clock } from "@kubewright/core/clock";
import type { Logger } from "@kubewright/core/log";
import type { Duration } from "@kubewright/core/meta";
import type { Transport } from "@kubewright/core/transport";
import type { Trace } from "../client/index.js";
import type { LeaderElectionOptions } from "../lease/index.js";
import type { OperatorMetrics } from "../metrics/index.js";
import type { ShardingOptions } from "../sharding/index.js";
import type { StartInstallOptions } from "./install-crds.js";

/** Another cluster that an operator is started with. */
export interface StartCluster {
  /** How its API server is reached. Whoever made it closes it. */
  readonly transport: Transport;
  /** The only namespace whose objects are seen there, or the only ones. @default all namespaces */
  readonly namespace?: string | readonly string[];
}

/** How an operator is started over a transport. */
export interface StartOptions {
  /** How the API server is reached. Whoever made it closes it. */
  readonly transport: Transport;
  /** @default the machine's time */
  readonly clock?: Clock;
  /** @default nothing is logged */
  readonly logger?: Logger;
  /** Between 0 and 1. @default Math.random */
  readonly random?: () => number;
  /** The only namespace whose objects it sees, or the only ones; names without one mean the first. @default all namespaces */
  readonly namespace?: string | readonly string[];
  /** Other clusters that its controllers work with, by the names that their kinds give them (`ofCluster`). @default none */
  readonly clusters?: Readonly<Record<string, StartCluster>>;
  /** Applies the operator's CustomResourceDefinitions first. @default false */
  readonly installCRDs?: boolean | StartInstallOptions;
  /** Is told of each datum as it passes a stage. */
  readonly trace?: Trace;
  /** Counts what the operator does: what `createMetrics` of `kubewright/metrics` made. @default nothing is counted */
  readonly metrics?: OperatorMetrics;
  /**
   * Makes spans of OpenTelemetry for each reconcile and for each request, which carries `traceparent`. Needs the package `@opentelemetry/api`, and an
   * SDK that the program has set up. @default false
   */
  readonly tracing?: boolean;
  /** Ends the start, and nothing that has started: use `stop`. */
  readonly signal?: AbortSignal;
  /**
   * Fills caches from the beginning of their watches where the server can, instead of by lists: fewer requests, and less memory of the
   * server. @default true
   */
  readonly streaming?: boolean;
  /**
   * What happens when the server does not serve a kind: `fail` names it and does not start; `wait` starts, and a controller begins when
   * everything that it reads is served; until then the operator is not ready, and says why. It knows by watching definitions, where its role
   * allows that. @default "fail"
   */
  readonly missingKinds?: "fail" | "wait";
  /** How long the caches may take to sync. @default "2m" */
  readonly cacheSyncTimeout?: Duration;
  /**
   * Works only while it holds a Lease, so that of several replicas one works. The others wait with their caches synced. `true` takes the
   * operator's name and the pod's namespace. @default false
   */
  readonly leaderElection?: boolean | LeaderElectionOptions;
  /**
   * Shares the objects with the other replicas: each object is worked on by one of them. `true` takes the operator's name and the pod's namespace.
   * Not together with `leaderElection`. @default false
   */
  readonly sharding?: boolean | ShardingOptions;
}
