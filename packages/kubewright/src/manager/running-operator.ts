import type { AnyController } from "../reconcile/index.js";
import type { StartCluster } from "./start-options.js";

/** An operator at work. */
export interface RunningOperator extends AsyncDisposable {
  /**
   * Adds a controller while the operator runs. Resolves when what it reads has arrived and its workers run; with leader election before it
   * leads, once it will begin with the others. Rejects when its name is taken, a kind is not served or the operator stops; nothing is
   * left of it then. The operator's role must allow what it declares.
   */
  add(controller: AnyController): Promise<void>;
  /**
   * Removes a controller: its runs are aborted by their signal and awaited, and what only it had watched is watched no more. Resolves when
   * nothing of it is left; at once when there is none of that name. What it made in the cluster stays.
   */
  remove(controllerName: string): Promise<void>;
  /**
   * Adds a cluster while the operator runs, for controllers of its kinds (`ofCluster`) that are added afterwards. Whoever made the transport
   * closes it. Throws when the name is taken.
   */
  addCluster(name: string, cluster: StartCluster): void;
  /** Removes a cluster, and every controller that works with it, as {@link remove} does. Resolves when nothing is sent there any more. */
  removeCluster(name: string): Promise<void>;
  /**
   * Resolves when its workers run: at once without leader election, else when it leads. Rejects when it ends before; need not be handled.
   */
  readonly elected: Promise<void>;
  /** Whether it may work at this very moment: always without leader election. */
  readonly leading: boolean;
  /** How many shards it owns, where replicas share the work; 0 where they do not. */
  readonly ownedShards: number;
  /**
   * Aborts when it must not work any more: the lease was lost, or it was abandoned. The reason is the error. It never works again: stop
   * it, and let a new process begin.
   */
  readonly lost: AbortSignal;
  /** Every cache has synced and each of its watches is open or about to be. For readiness. */
  readonly synced: boolean;
  /** Nothing is left to do until something happens: see {@link busy}. */
  readonly idle: boolean;
  /** What is under way, in words; empty at rest. Keys that wait for a moment, and watches that wait for events, are at rest. */
  busy(): string[];
  /** The objects whose last run failed, by controller and key, with the error. */
  failing(): { readonly controller: string; readonly key: string; readonly error: Error }[];
  /** How many reconciles have ended. */
  readonly runs: number;
  /** What keeps it from being ready, in words; undefined when it is. */
  whyNotReady(): string | undefined;
  /**
   * Ends gracefully: workers first, whose runs are aborted by their signal and awaited, with their status written; then the caches; then
   * the lease is given back, so that another can lead at once. Resolves when nothing of it runs any more; may be called again.
   */
  stop(): Promise<void>;
  /**
   * Ends at once: runs are aborted and not awaited, and nothing of them is written any more. A lease that is held expires by itself:
   * runs that do not heed their signal may still be under way. Resolves when caches and renewal have ended.
   */
  abandon(reason: Error): Promise<void>;
}
