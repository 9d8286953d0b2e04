import { setMaxListeners } from "node:events";
import { type Clock, sleep, type Timer } from "@kubewright/core/clock";
import { OperatorError } from "@kubewright/core/errors";
import { type Logger, silentLogger } from "@kubewright/core/log";
import {
  CachedClient,
  cacheLookup,
  type HandlerRegistration,
  type Informer,
  type InformerSet,
} from "../cache/index.js";
import type { Client, StageListener } from "../client/index.js";
import { type AnyKind, isResource, type ReadOf } from "../definition/index.js";
import { OpenWrites, type RunHistory } from "../history/index.js";
import { ItemBackoff, type QueueObserver, WorkQueue } from "../queue/index.js";
import { type Cause, OwnWrites, type Predicate, priorityOf, Router, runSource, TrackedReads } from "../route/index.js";
import { DroppedFields, EventRecorder } from "../status/index.js";
import { Access } from "./access.js";
import { AppliedChildren } from "./applied-children.js";
import { type AnyController, CachedKinds } from "./cached-kinds.js";
import { childKindOf } from "./child-kinds.js";
import type { Controller } from "./controller.js";
import { type FieldConflict, FieldConflictDetector } from "./field-conflict-detector.js";
import { servesFinalizer } from "./finalizer.js";
import type { KeyOwnership } from "./key-ownership.js";
import { KnownObjects } from "./known-objects.js";
import type { Outcome } from "./outcome.js";
import { reconcileKey, reconcileObject } from "./reconcile-once.js";
import { Recreations } from "./recreations.js";
import type { Run, Services } from "./run.js";
import { StaleReads } from "./stale-reads.js";
import { UnservedFinalizers } from "./unserved-finalizers.js";
import { type AroundRun, type ReconcileObserver, type WorkerOptions, work } from "./worker.js";

/** How long a stop waits for events, which matter less than a quick hand-over. */
const eventsGraceMs = 5_000;
/** The delay before a failed worker restarts. */
const restartMs = { first: 100, max: 60_000 };
/** The delay of a run that only the previous run's own write triggers: a controller that writes what it reads, and never the same, must not spin. */
const echoMs = { first: 5, max: 1_000_000 };

/** What a controller needs to run. */
export interface ControllerLoopOptions {
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
  readonly onStage?: StageListener;
  /** Keeps what runs did. @default nothing is kept */
  readonly history?: RunHistory;
  /** Whether repeated failures are recorded as events. @default true */
  readonly failureEvents?: boolean;
  /** Whether another controller of the operator reconciles the same kind. @default never */
  readonly sharesKind?: () => boolean;
  /** Whether a controller of the operator serves a finalizer. @default whether this one does */
  readonly servesFinalizer?: (finalizer: string) => boolean;
}

/**
 * A controller at run time: informers, router, queue and workers, wired in the order of the stages.
 *
 * Expected flow: construct it (which creates its informers), run the informers, `start`, and at the end `stop`.
 * Guarantees: no object is reconciled before every cache that the controller reads has synced; `idle` is exact.
 */
export class ControllerLoop {
  readonly controller: AnyController;
  readonly queue: WorkQueue<Cause>;
  readonly #options: ControllerLoopOptions;
  readonly #log: Logger;
  readonly #router: Router;
  readonly #caches: CachedKinds;
  readonly #informers: readonly Informer<AnyKind>[];
  readonly #releases: readonly (() => Promise<void>)[];
  readonly #stop = new AbortController();
  readonly #write = new AbortController();
  readonly #ownWrites = new OwnWrites();
  readonly #reads: TrackedReads;
  readonly #echoes = new ItemBackoff(echoMs.first, echoMs.max);
  readonly #staleReads: StaleReads | undefined;
  readonly #failing = new Map<string, Error>();
  #runs = 0;
  #state: "new" | "starting" | "running" | "stopped" = "new";
  #working: Promise<unknown> = Promise.resolve();
  #endOwnership: (() => void) | undefined;
  #recorder: EventRecorder | undefined;
  /** Keys whose run exceeded its timeout and has not returned. */
  readonly #stuck = new Set<string>();
  #warnedOfRequeue = false;
  readonly #waiting = new Set<string>();
  readonly #appliedChildren: AppliedChildren;
  #following: readonly HandlerRegistration[] = [];
  /** Undefined where the controller has no `gone`. */
  readonly #known: KnownObjects | undefined;
  /** Why workers do not run. */
  readonly #brokenWorkers = new Set<unknown>();

  constructor(options: ControllerLoopOptions) {
    const { controller, informers, clock, onStage } = options;
    this.controller = controller;
    this.#options = options;
    // Each run adds a listener: many at once are no leak.
    setMaxListeners(0, this.#stop.signal, this.#write.signal);
    this.#log = (options.logger ?? silentLogger).child({ controller: controller.name });
    this.#known =
      controller.role === "controller" && controller.gone ? new KnownObjects(controller.gone, this.#log) : undefined;
    const observer = options.queueObserver ?? {};
    this.queue = new WorkQueue<Cause>({
      clock,
      priorityOf,
      isDueTime: ({ source }) => source === "requeue",
      gather: controller.gather,
      baseDelayMs: controller.backoff.firstMs,
      maxDelayMs: controller.backoff.maxMs,
      ...(controller.retryLimit && { rateLimit: controller.retryLimit }),
      observer: {
        ...observer,
        taken: (key, waitedMs) => {
          onStage?.("queue", { kind: controller.kind?.id ?? "", key, what: "taken" });
          observer.taken?.(key, waitedMs);
        },
      },
    });
    this.#caches = new CachedKinds(controller);
    this.#releases = this.#caches.all.map(({ kind, selection }) => informers.hold(kind, selection));
    this.#informers = [...new Set(this.#caches.all.map(({ kind, selection }) => informers.informer(kind, selection)))];
    this.#reads = new TrackedReads(this.#caches.tracked, controller.kind);
    this.#staleReads = onStage && new StaleReads(controller, onStage);
    this.#appliedChildren = new AppliedChildren(controller.fieldManager);
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
    this.#following = this.#appliedChildren.follow(this.#options.informers, this.controller.children);
    await Promise.all(this.#informers.map((informer) => informer.whenSynced()));
    if (this.#stop.signal.aborted) return;
    this.#state = "running";
    this.#working = Promise.all([...this.#startWorkers(), ...this.#startSources()]);
  }

  /**
   * Stops gracefully: accepts no new keys, aborts the signals of runs, and resolves when they have returned, their status and events are written, and
   * informers that no other controller needs have stopped. Resolves after the grace period in any case, with the keys whose run has not returned;
   * these can no longer write status and events.
   */
  async stop(graceMs = 30_000): Promise<readonly string[]> {
    this.#state = "stopped";
    this.#router.detach();
    for (const registration of this.#following) registration.remove();
    this.#endOwnership?.();
    this.#stop.abort(new OperatorError("STOPPED", `Cannot continue: controller "${this.controller.name}" stops`));
    await this.#within(
      graceMs,
      this.queue.shutDown({ drop: true }).then(() => this.#working),
    );
    const left = this.queue.running;
    if (left.length > 0) this.#log.error({ keys: left }, "Runs did not return within the grace period");
    else await this.#within(Math.min(graceMs, eventsGraceMs), this.#recorder?.whenWritten() ?? Promise.resolve());
    this.#write.abort(this.#stop.signal.reason);
    await Promise.all(this.#releases.map((release) => release()));
    return left;
  }

  /** Why it does not process all keys; undefined when it does. */
  get unhealthy(): string | undefined {
    const { name } = this.controller;
    const [stuck] = this.#stuck;
    if (stuck !== undefined)
      return `The run of controller "${name}" for "${stuck}" exceeded its timeout and has not returned`;
    return this.#brokenWorkers.size > 0
      ? `A worker of controller "${name}" failed, and is about to restart`
      : undefined;
  }

  /** What its workers do, for error messages; empty when nothing but an event or a timer can make progress. A run that waits for an object does nothing. */
  busy(): string[] {
    const { name, workers } = this.controller;
    const { running, length } = this.queue;
    const working = running.filter((key) => !this.#waiting.has(key));
    const isTakeable = length > 0 && (working.length > 0 || running.length < workers);
    return [
      ...working.map((key) => `controller "${name}" reconciles "${key}"`),
      ...(this.eventsPending > 0 ? [`controller "${name}" writes ${this.eventsPending} events`] : []),
      ...(isTakeable ? [`controller "${name}" has ${length} keys ready`] : []),
    ];
  }

  /** Whether events wait to be written. */
  get eventsPending(): number {
    return this.#recorder?.pending ?? 0;
  }

  async #within(ms: number, work: Promise<unknown>): Promise<void> {
    let timer: Timer | undefined;
    const over = new Promise<void>((resolve) => {
      timer = this.#options.clock.startTimer(ms, resolve);
    });
    try {
      await Promise.race([work, over]);
    } finally {
      timer?.cancel();
    }
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
    if (this.eventsPending > 0) return false;
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

  #makeRouter(): Router {
    const { controller, informers, client, onStage, ownership } = this.#options;
    return new Router({
      informers,
      lookup: cacheLookup(informers, (kind, indexes) => this.#caches.readFrom(kind, indexes)),
      logger: this.#log,
      onMappingFailed: (kind, object, error) => this.#mappingFailed(kind, object, error),
      kind: controller.kind,
      owns: controller.children.filter(({ by }) => by === "reference"),
      manages: controller.children.filter(({ by }) => by === "label"),
      watches: controller.watches,
      ownWrites: this.#ownWrites,
      reads: this.#reads,
      namespace: client.namespace,
      emit: (key, cause) => {
        this.#echoes.forget(key);
        if (ownership?.owns(key) ?? true) this.queue.add(key, cause);
        // Another replica has its own reads.
        else if (cause.source === "reads") this.#reads.forget(key);
      },
      emitEcho: (key, cause) => {
        if (ownership?.owns(key) ?? true) this.queue.addAfter(key, this.#echoes.next(key), cause);
      },
      ...(controller.role === "raw"
        ? { keys: controller.keys }
        : { selection: controller.selection, ...(controller.when && { when: withDeletes(controller) }) }),
      ...(controller.resyncMs !== undefined && { resyncMs: controller.resyncMs }),
      ...(onStage && { onStage }),
    });
  }

  #startWorkers(): Promise<void>[] {
    const { controller } = this.#options;
    if (controller.role === "raw") {
      return this.#startWorkersFor({
        services: this.#services(controller),
        subjectOf: () => undefined,
        reconcile: reconcileKey,
      });
    }
    const own = this.#options.informers.informer(controller.kind, controller.selection);
    return this.#startWorkersFor({
      services: this.#services(controller),
      // Deleted: its finalizer has cleaned up, and garbage collection deletes the children.
      subjectOf: (key) => {
        const object = own.byKey(key);
        return object === undefined || controller.concerns?.(object) === false ? "gone" : object;
      },
      reconcile: reconcileObject,
    });
  }

  #startWorkersFor<C extends AnyController>(
    what: Pick<WorkerOptions<C>, "services" | "subjectOf" | "reconcile">,
  ): Promise<void>[] {
    const { around, ownership, reconcileObserver = {} } = this.#options;
    const options: WorkerOptions<C> = {
      ...what,
      queue: this.queue,
      observer: reconcileObserver,
      ...(around && { around }),
      ...(ownership && { ownership }),
      settled: (key, outcome) => this.#settled(key, outcome),
      begins: (key) => this.#known?.add(key),
      gone: (key) => this.#known?.remove(key),
      dropped: (key) => {
        this.#known?.remove(key);
        this.#stuck.delete(key);
        this.#failing.delete(key);
        this.#echoes.forget(key);
        this.#reads.forget(key);
      },
    };
    return Array.from({ length: this.controller.workers }, () => this.#keepWorking(options));
  }

  /** A worker never ends while the controller runs, whatever throws in it. */
  async #keepWorking<C extends AnyController>(options: WorkerOptions<C>): Promise<void> {
    const backoff = new ItemBackoff(restartMs.first, restartMs.max);
    const worker = {};
    while (!this.#stop.signal.aborted) {
      try {
        return await work(options);
      } catch (err) {
        const delayMs = backoff.next("");
        this.#brokenWorkers.add(worker);
        this.#log.error({ err, delayMs }, "Worker failed, will restart");
        await sleep(this.#options.clock, delayMs, this.#stop.signal);
        this.#brokenWorkers.delete(worker);
      }
    }
  }

  #services<C extends AnyController>(controller: C): Services<C> {
    const { client, informers, clock, random, onStage, history, logger = silentLogger } = this.#options;
    const { failureEvents = true } = this.#options;
    const openWrites = new OpenWrites();
    const onWrite = history && openWrites.succeeded.bind(openWrites);
    return {
      controller,
      access: new Access(controller),
      client: new CachedClient(client, informers, (kind, indexes) => this.#caches.readFrom(kind, indexes), onWrite),
      childClient: new CachedClient(client, informers, (kind) => childKindOf(controller, kind)?.selection, onWrite),
      history,
      failureEvents,
      openWrites,
      informers,
      recorder: this.#startRecorder(),
      fieldConflicts: new FieldConflictDetector({
        clock,
        fieldManager: controller.fieldManager,
        report: (conflict) => this.#reportConflict(conflict),
      }),
      appliedChildren: this.#appliedChildren,
      recreations: new Recreations(clock),
      dropped: controller.kind !== undefined && isResource(controller.kind) ? new DroppedFields(clock) : undefined,
      waiting: this.#waiting,
      unservedFinalizers: new UnservedFinalizers(
        this.#options.servesFinalizer ?? ((finalizer) => servesFinalizer(controller, finalizer)),
      ),
      clock,
      random,
      logger,
      stopSignal: this.#stop.signal,
      writeSignal: this.#write.signal,
      onStage,
      timedOut: (run, error) => this.#timedOut(run, error),
      notReturned: (run) => this.#notReturned(run),
      sharesKind: this.#options.sharesKind,
      ownWrites: this.#ownWrites,
      reads: this.#reads,
      staleReads: this.#staleReads,
    };
  }

  #startRecorder(): EventRecorder {
    const { client, clock, random, onStage, instance = this.controller.name } = this.#options;
    this.#recorder = new EventRecorder({
      signal: this.#write.signal,
      dropped: () => this.#options.reconcileObserver?.eventDropped?.(),
      client,
      clock,
      random,
      logger: this.#log,
      ...(onStage && { onStage }),
      controller: this.controller.name,
      instance,
    });
    return this.#recorder;
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

  /** The router has logged it. The event shows on the object whose change is ignored. */
  #mappingFailed(kind: AnyKind, object: ReadOf<AnyKind>, error: unknown): void {
    const note = `Controller "${this.controller.name}" ignores a change, because its mapping failed: ${error instanceof Error ? error.message : String(error)}`;
    this.#recorder?.record(kind, object, { type: "Warning", reason: "MappingFailed", note });
    this.#options.reconcileObserver?.mappingFailed?.(kind.id);
  }

  #notReturned({ logger }: Run<AnyController>): void {
    if (this.#warnedOfRequeue) return;
    this.#warnedOfRequeue = true;
    logger.warn({}, "A run called `requeueAfter` and did not return its result, which has no effect; return it");
  }

  #timedOut({ key, logger }: Run<AnyController>, error: Error): void {
    this.#stuck.add(key);
    this.#failing.set(key, error);
    logger.error({ err: error }, "Reconcile exceeded its timeout, its signal is aborted");
    this.#options.reconcileObserver?.timedOut?.(key);
  }

  #settled(key: string, outcome: Outcome): void {
    this.#runs += 1;
    this.#stuck.delete(key);
    this.#reads.settle(key, outcome.kind === "done" || outcome.kind === "requeue");
    this.#staleReads?.settle(key, outcome);
    if (outcome.kind === "retry" || outcome.kind === "terminal") this.#failing.set(key, released(outcome.error));
    else this.#failing.delete(key);
  }
}

/** Formats the stack: until then V8 keeps the receivers of its calls, which are the run and the objects of its causes. */
function released(error: Error): Error {
  let next: unknown = error;
  for (let depth = 0; depth < 10 && next instanceof Error; depth++) {
    void next.stack;
    next = next.cause;
  }
  return error;
}

/** The predicate of a controller, which must not hide deletes from `gone`. */
function withDeletes({ when = () => true, gone }: Controller): Predicate {
  return gone === undefined ? when : (change) => change.kind === "deleted" || when(change);
}
