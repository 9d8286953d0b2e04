import type { RecordedRun } from "../history/index.js";
import type { AnyController } from "../reconcile/index.js";
import type { PrunedKind } from "./compare-definitions.js";
import type { StartCluster } from "./start-options.js";

/** Selects recorded runs: those of a controller, of a kind (`group/version/Kind`), of a key (`namespace/name`). Every member must match. */
export interface RunFilter {
  readonly controller?: string;
  readonly kind?: string;
  readonly key?: string;
}

/** A started operator. */
export interface RunningOperator extends AsyncDisposable {
  /**
   * Adds a controller. Resolves when its caches have synced and its workers run; before the operator leads, once it is registered. Rejects when its
   * name is taken, a kind is not served or the operator stops; nothing of it is left then. The operator's Role must allow what it declares.
   */
  add(controller: AnyController): Promise<void>;
  /**
   * Replaces the controller of the same name: for new code in a running process. Aborts the signals of its runs and awaits them; then the new one
   * reconciles every object. Caches that both read stay synced. Rejects as {@link add}; the old one runs on then, unless the new one fails to start.
   */
  replace(controller: AnyController): Promise<void>;
  /**
   * Removes a controller: aborts the signals of its runs, awaits them, and stops watches that only it needed. Resolves at once when there is no
   * controller of that name. Objects that it created stay.
   */
  remove(controllerName: string): Promise<void>;
  /**
   * Adds a cluster for controllers of its kinds (`ofCluster`) that are added afterwards. The caller closes the transport. Throws when the name is
   * taken.
   */
  addCluster(name: string, cluster: StartCluster): void;
  /** Removes a cluster, and every controller that works with it, as {@link remove} does. Resolves when nothing is sent there any more. */
  removeCluster(name: string): Promise<void>;
  /**
   * Resolves when its workers run: at once without leader election, else when it leads. Rejects when it stops before; the rejection need not be
   * handled.
   */
  readonly elected: Promise<void>;
  /** Whether it leads now: always true without leader election. */
  readonly leading: boolean;
  /** How many shards it owns; 0 without sharding. */
  readonly ownedShards: number;
  /**
   * Aborts when the lease was lost or the operator was abandoned; the reason is the error. It does not recover: stop it, and restart the process.
   */
  readonly lost: AbortSignal;
  /** Every cache has synced and each of its watches is open or about to be. For readiness. */
  readonly synced: boolean;
  /** Whether it waits for an event or a timer: see {@link busy}. */
  readonly idle: boolean;
  /** What is in progress, for error messages; empty when idle. Delayed keys and open watches count as idle. */
  busy(): string[];
  /** The objects whose last run failed, by controller and key, with the error. */
  failing(): { readonly controller: string; readonly key: string; readonly error: Error }[];
  /**
   * The fields of the operator's kinds that the server prunes, because its CRDs are older than the program; empty when they are current. Compared once,
   * after the start.
   */
  prunedFields(): Promise<readonly PrunedKind[]>;
  /**
   * The last runs of the objects that `which` accepts, the oldest of each first; empty for an object that has not run, whose runs were dropped because
   * of the memory limit, or with `runHistory: false`.
   */
  runsOf(which: RunFilter): readonly RecordedRun[];
  /** How many reconciles have returned. */
  readonly runs: number;
  /** Why it is not ready; undefined when it is. */
  whyNotReady(): string | undefined;
  /** Why it does not process all keys, as `/healthz` reports it: a run exceeded its timeout and does not return; undefined when it does. */
  readonly unhealthy: string | undefined;
  /**
   * Stops gracefully: aborts the signals of runs, awaits them and writes their status; then stops the caches; then releases the lease, so that another
   * replica can lead at once. Resolves when nothing of it runs; can be called again. Runs that ignore their signal for 30 s are logged and left: then the
   * lease expires instead, and no request of theirs is sent.
   */
  stop(): Promise<void>;
  /**
   * Stops at once: aborts runs without awaiting them; their writes are not sent. The lease is not released but expires, because runs that ignore
   * their signal may still be in progress. Resolves when caches and renewal have stopped.
   */
  abandon(reason: Error): Promise<void>;
}
