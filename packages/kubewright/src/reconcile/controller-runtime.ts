import { setMaxListeners } from "node:events";
import type { Clock } from "@kubewright/core/clock";
import { OperatorError } from "@kubewright/core/errors";
import { type Logger, silentLogger } from "@kubewright/core/log";
import { CachedClient, cacheLookup, type Informer, type InformerSet } from "../cache/index.js";
import type { Client, Trace } from "../client/index.js";
import type { AnyKind } from "../definition/index.js";
import { type QueueObserver, WorkQueue } from "../queue/index.js";
import { type Cause, KeyRouter, priorityOf, Router, runSource, type Target } from "../route/index.js";
import { EventRecorder } from "../status/index.js";
import { Access } from "./access.js";
import { type AnyController, CachedKinds } from "./cached-kinds.js";
import type { Controller } from "./controller.js";
import { type FieldConflict, FieldConflictDetector } from "./field-conflict-detector.js";
import type { KeyOwnership } from "./key-ownership.js";
import type { Outcome } from "./outcome.js";
import { runOnce } from "./run.js";
import { rawRuns } from "./run-raw.js";
import type { RunServices } from "./run-scope.js";
import { type AroundRun, type ReconcileObserver, type WorkerOptions, work } from "./worker.js";

/** What a controller needs to run. */
export interface ControllerRuntimeOptions {
  readonly controller: AnyController;
  readonly client: Client;
  /** Shared by all controllers of the process; the caller runs it. */
  readonly informers: InformerSet;
  readonly clock: Clock;
  /** Between 0 and 1. */
  readonly random: () => number;
  readonly logger?: Logger;
  /** The name of this process, in events. @default the controller's name */
  readonly instance?: string;
  readonly queueObserver?: QueueObserver;
  readonly reconcileObserver?: ReconcileObserver;
  /** Wraps each run; for spans. */
  readonly around?: AroundRun;
  /** With sharding: keys of other replicas are skipped. @default every key */
  readonly ownership?: KeyOwnership;
  readonly trace?: Trace;
}

/** Maps changes to keys: of objects, or of a raw controller. */
interface Routing {
  attach(): void;
  detach(): void;
  readonly synced: boolean;
  target(target: Target, cause: Cause): void;
  all(cause: Cause, wanted?: (key: string) => boolean): void;
}

/**
 * A controller at run time: informers, router, queue and workers, wired in the order of the stages.
 *
 * Expected flow: construct it (which creates its informers), run the informers, `start`, and at the end `stop`.
 * Guarantees: no object is reconciled before every cache that the controller reads has synced; `idle` is exact.
 */
export class ControllerRuntime {
  readonly controller: AnyController;
  readonly queue: WorkQueue<Cause>;
  readonly #options: ControllerRuntimeOptions;
  readonly #log: Logger;
  readonly #router: Routing;
  readonly #caches: CachedKinds;
  readonly #informers: readonly Informer<AnyKind>[];
  readonly #releases: readonly (() => Promise<void>)[];
  readonly #stop = new AbortController();
  readonly #write = new AbortController();
  readonly #failing = new Map<string, Error>();
  #runs = 0;
  #state: "new" | "starting" | "running" | "stopped" = "new";
  #working: Promise<unknown> = Promise.resolve();
  #endOwnership: (() => void) | undefined;

  constructor(options: ControllerRuntimeOptions) {
    const { controller, informers, clock, trace } = options;
    this.controller = controller;
    this.#options = options;
    // Each run adds a listener: many at once are no leak.
    setMaxListeners(0, this.#stop.signal, this.#write.signal);
    this.#log = (options.logger ?? silentLogger).child({ controller: controller.name });
    const observer = options.queueObserver ?? {};
    this.queue = new WorkQueue<Cause>({
      clock,
      priorityOf,
      gather: controller.gather,
      baseDelayMs: controller.backoff.firstMs,
      maxDelayMs: controller.backoff.maxMs,
      ...(controller.retryLimit && { rateLimit: controller.retryLimit }),
      observer: {
        ...observer,
        taken: (key, waitedMs) => {
          trace?.("queue", { kind: controller.kind?.id ?? "", key, what: "taken" });
          observer.taken?.(key, waitedMs);
        },
      },
    });
    this.#caches = new CachedKinds(controller);
    this.#releases = this.#caches.all.map(({ kind, selection }) => informers.hold(kind, selection));
    this.#informers = [...new Set(this.#caches.all.map(({ kind, selection }) => informers.informer(kind, selection)))];
    this.#router = this.#makeRouter();
  }

  /**
   * Starts to reconcile. Resolves when its caches have synced and its workers run; rejects when the informers stop before. When `signal` aborts
   * (lost lease), runs are aborted and nothing more is written. Can start once.
   */
  async start(signal: AbortSignal): Promise<void> {
    if (this.#state !== "new") {
      throw new OperatorError("STOPPED", `Cannot start controller "${this.controller.name}" again: it runs or has run`);
    }
    this.#state = "starting";
    const abandon = () => this.#abandon(signal);
    if (signal.aborted) abandon();
    else signal.addEventListener("abort", abandon, { once: true, signal: this.#stop.signal });
    // Together with the changes: keys dropped because another replica owns them are enqueued when they become ours.
    this.#endOwnership = this.#options.ownership?.onGained((isGained) => {
      this.#router.all({ source: "gained" }, isGained);
    });
    this.#router.attach();
    await Promise.all(this.#informers.map((informer) => informer.whenSynced()));
    if (this.#stop.signal.aborted) return;
    this.#state = "running";
    this.#working = Promise.all([...this.#startWorkers(), ...this.#startSources()]);
  }

  /**
   * Stops gracefully: accepts no new keys, aborts the signals of runs, and resolves when they have returned, their status is written, and
   * informers that no other controller needs have stopped.
   */
  async stop(): Promise<void> {
    this.#state = "stopped";
    this.#router.detach();
    this.#endOwnership?.();
    this.#stop.abort(new OperatorError("STOPPED", `Cannot continue: controller "${this.controller.name}" stops`));
    await this.queue.shutDown({ drop: true });
    await this.#working;
    await Promise.all(this.#releases.map((release) => release()));
  }

  /** Whether every cache that the controller reads has synced. */
  get synced(): boolean {
    return this.#informers.every((informer) => informer.synced) && this.#router.synced;
  }

  /**
   * Whether it waits for an event or a timer: every watch is open and has delivered its events, no run is in progress, and only delayed keys
   * are queued.
   */
  get idle(): boolean {
    if (this.#state === "stopped") return this.queue.idle;
    return this.#state === "running" && this.#informers.every((informer) => informer.idle) && this.queue.idle;
  }

  /** How many runs have ended. */
  get runs(): number {
    return this.#runs;
  }

  /** The keys whose last run failed, with the error. */
  get failing(): ReadonlyMap<string, Error> {
    return this.#failing;
  }

  #abandon(signal: AbortSignal): void {
    this.#write.abort(signal.reason);
    // First, so that runs see the reason on their signal.
    this.#stop.abort(signal.reason);
    void this.stop();
  }

  #makeRouter(): Routing {
    const { controller, informers, client, trace, ownership } = this.#options;
    const emit = (key: string, cause: Cause): void => {
      if (ownership?.owns(key) ?? true) this.queue.add(key, cause);
    };
    const common = {
      informers,
      lookup: cacheLookup(informers, (kind) => this.#caches.readFrom(kind)),
      logger: this.#log,
      ...(controller.resyncMs !== undefined && { resyncMs: controller.resyncMs }),
    };
    if (controller.role === "raw") {
      return new KeyRouter({ ...common, keys: controller.keys, watches: controller.watches, emit });
    }
    return new Router({
      ...common,
      kind: controller.kind,
      selection: controller.selection,
      owns: controller.owns,
      watches: controller.watches,
      ...(controller.when && { when: controller.when }),
      namespace: client.namespace,
      emit,
      ...(trace && { trace }),
    });
  }

  #startWorkers(): Promise<void>[] {
    const { controller, client, informers, clock, random, around, ownership } = this.#options;
    const access = new Access(controller);
    const cached = new CachedClient(client, informers, (kind, indexes) => this.#caches.readFrom(kind, indexes));
    const options = {
      controller,
      clock,
      random,
      logger: this.#options.logger ?? silentLogger,
      runOf:
        controller.role === "raw"
          ? rawRuns({ controller, access, client: cached, recorder: this.#recorder(), writeSignal: this.#write.signal })
          : this.#objectRuns(controller, { access, client: cached }),
      queue: this.queue,
      observer: this.#options.reconcileObserver ?? {},
      ...(around && { around }),
      ...(ownership && { ownership }),
      stopSignal: this.#stop.signal,
      settled: (key: string, outcome: Outcome) => this.#settled(key, outcome),
      dropped: (key: string) => void this.#failing.delete(key),
    };
    return Array.from({ length: controller.workers }, () => work(options));
  }

  #objectRuns(controller: Controller, reads: Pick<RunServices, "access" | "client">): WorkerOptions["runOf"] {
    const { informers, clock, random, trace } = this.#options;
    const services = {
      clock,
      random,
      trace,
      ...reads,
      controller,
      informers,
      recorder: this.#recorder(),
      fieldConflicts: new FieldConflictDetector({
        clock,
        fieldManager: controller.fieldManager,
        report: (conflict) => this.#reportConflict(conflict),
      }),
    };
    const own = informers.informer(controller.kind, controller.selection);
    return ({ key, causes }) => {
      const object = own.byKey(key);
      // Deleted: its finalizer has cleaned up, and garbage collection deletes the children.
      if (object === undefined) return undefined;
      return (environment) => runOnce(services, { object, causes, environment, writeSignal: this.#write.signal });
    };
  }

  #recorder(): EventRecorder {
    const { client, clock, random, trace, instance = this.controller.name } = this.#options;
    const traced = trace === undefined ? {} : { trace };
    return new EventRecorder({
      client,
      clock,
      random,
      logger: this.#log,
      ...traced,
      controller: this.controller.name,
      instance,
    });
  }

  #startSources(): Promise<void>[] {
    const { controller, clock, random } = this.#options;
    return controller.sources.map((source) =>
      runSource(
        source,
        {
          clock,
          random,
          logger: this.#log,
          all: () => this.#router.all({ source: "every" }),
          one: (target) => this.#router.target(target, { source: "events" }),
        },
        this.#stop.signal,
      ),
    );
  }

  #reportConflict(conflict: FieldConflict): void {
    const { self, ...where } = conflict;
    const text = self
      ? "Field is flapping: the controller's desired value depends on time, randomness or its own writes"
      : "Field ownership conflict: another field manager keeps changing the field back";
    this.#log.warn(where, text);
    this.#options.reconcileObserver?.fieldConflict?.(conflict);
  }

  #settled(key: string, outcome: Outcome): void {
    this.#runs += 1;
    if (outcome.kind === "retry" || outcome.kind === "terminal") this.#failing.set(key, outcome.error);
    else this.#failing.delete(key);
  }
}
