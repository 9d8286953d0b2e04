import { setMaxListeners } from "node:events";
import type { Clock, Timer } from "@kubewright/core/clock";
import { OperatorError } from "@kubewright/core/errors";
import { formatKey, type ObjectKey } from "@kubewright/core/identity";
import type { Logger } from "@kubewright/core/log";
import type { Duration } from "@kubewright/core/meta";
import type { CachedClient, InformerSet } from "../cache/index.js";
import type { StageListener } from "../client/index.js";
import type { AnyKind, ReadOf } from "../definition/index.js";
import { type OpenWrites, RecordingLogger, type RunHistory, RunRecording } from "../history/index.js";
import type { Cause, OwnWrites, TrackedReads } from "../route/index.js";
import type { DroppedFields, EventRecorder } from "../status/index.js";
import type { Access } from "./access.js";
import type { AppliedChildren } from "./applied-children.js";
import type { AnyController } from "./cached-kinds.js";
import { ContextCalls } from "./context-call.js";
import type { Controller } from "./controller.js";
import type { FieldConflictDetector } from "./field-conflict-detector.js";
import { type Outcome, type RequeueAfter, type RequeueOptions, requeueAfterOf, requeueOf } from "./outcome.js";
import type { Recreations } from "./recreations.js";
import type { StaleReads } from "./stale-reads.js";
import type { UnservedFinalizers } from "./unserved-finalizers.js";

/** What all runs of a controller share. */
export interface Services<C extends AnyController = Controller> {
  readonly controller: C;
  readonly access: Access;
  readonly client: CachedClient;
  /** Reads children from the selection that `owns` declares, which may be another than that of reads. */
  readonly childClient: CachedClient;
  readonly informers: InformerSet;
  readonly recorder: EventRecorder;
  readonly fieldConflicts: FieldConflictDetector;
  readonly appliedChildren: AppliedChildren;
  readonly recreations: Recreations;
  /** What the server drops of the status; undefined where no CRD of ours defines the kind. */
  readonly dropped: DroppedFields | undefined;
  readonly unservedFinalizers: UnservedFinalizers;
  /** The keys whose run waits for an object. */
  readonly waiting: Set<string>;
  readonly clock: Clock;
  /** Between 0 and 1. */
  readonly random: () => number;
  readonly logger: Logger;
  /** Aborts runs: shutdown. */
  readonly stopSignal: AbortSignal;
  /** Aborts when nothing may be written any more (lost lease). Until then status and events are still written. */
  readonly writeSignal: AbortSignal;
  readonly onStage: StageListener | undefined;
  readonly ownWrites: OwnWrites;
  /** Keeps what runs did; undefined where nothing is kept. */
  readonly history: RunHistory | undefined;
  /** Whether repeated failures are recorded as events. */
  readonly failureEvents: boolean;
  /** Finds the run of a response. */
  readonly openWrites: OpenWrites;
  /** What the runs have read. */
  readonly reads: TrackedReads;
  /** Reports live reads that nothing repeats; undefined: they are not reported. */
  readonly staleReads: StaleReads | undefined;
  /** Called when a run exceeds its timeout: it may never end. */
  readonly timedOut: (run: Run<AnyController>, error: Error) => void;
  /** Called when a run made a `requeueAfter` and did not return it. */
  readonly notReturned: (run: Run<AnyController>) => void;
  /** Whether another controller of the operator reconciles the same kind; undefined: never. */
  readonly sharesKind: (() => boolean) | undefined;
}

/** What a run is about: an object, or nothing but a key in a raw controller. */
export type Subject<C extends AnyController> = C extends Controller ? ReadOf<AnyKind> : undefined;

/** What a worker takes from the queue, and until when it may work on it. */
export interface TakenKey {
  readonly key: string;
  readonly causes: readonly Cause[];
  /** Aborts when the key moves to another replica. */
  readonly signal: AbortSignal | undefined;
}

const done: Outcome = { kind: "done" };

/** One run of one key: all that the framework holds of it. Each part is created on first use, because most runs use little of it. */
export class Run<C extends AnyController = Controller> {
  readonly services: Services<C>;
  readonly key: string;
  readonly causes: readonly Cause[];
  /** As it was when the run began, or with the finalizer that the run added. */
  object: Subject<C>;
  /** The OpenTelemetry trace of the run, where it has one. */
  traceId: string | undefined;
  /** What the run does. */
  verb: "reconcile" | "finalize" = "reconcile";
  /** Whether the run exceeded its timeout. */
  expired = false;
  readonly #taken: TakenKey;
  #reconcileId: string | undefined;
  #logger: Logger | undefined;
  #userLogger: Logger | undefined;
  #abort: AbortController | undefined;
  #unlisten: (() => void) | undefined;
  #timer: Timer | undefined;
  #calls: ContextCalls | undefined;
  #ended = false;
  #askedToRequeue = false;
  #recording: RunRecording | undefined;

  constructor(services: Services<C>, taken: TakenKey, object: Subject<C>) {
    this.services = services;
    this.key = taken.key;
    this.causes = taken.causes;
    this.object = object;
    this.#taken = taken;
  }

  get reconcileId(): string {
    this.#reconcileId ??= randomId(this.services.random);
    return this.#reconcileId;
  }

  /** The reconcileId, where something has used it. */
  get usedId(): string | undefined {
    return this.#reconcileId;
  }

  /** What the run read and wrote so far; undefined where nothing is kept. */
  get recording(): RunRecording | undefined {
    if (this.services.history !== undefined) this.#recording ??= new RunRecording();
    return this.#recording;
  }

  /** As {@link recording}; undefined also where the run neither read nor wrote. */
  get recorded(): RunRecording | undefined {
    return this.#recording;
  }

  /** The logger of the user's function: its lines are kept with the run. */
  get userLogger(): Logger {
    const { history } = this.services;
    if (history === undefined) return this.logger;
    this.#userLogger ??= new RecordingLogger(this.logger, (line) => this.recording?.log(line));
    return this.#userLogger;
  }

  /** Carries the controller, the key, the reconcileId, and the trace. */
  get logger(): Logger {
    const { controller, logger } = this.services;
    this.#logger ??= logger.child({
      controller: controller.name,
      ...(controller.kind && { kind: controller.kind.id }),
      key: this.key,
      reconcileId: this.reconcileId,
      ...(this.traceId !== undefined && { traceId: this.traceId }),
    });
    return this.#logger;
  }

  /** Aborts on timeout, shutdown and lost lease. */
  get signal(): AbortSignal {
    this.#abort ??= this.#listen();
    return this.#abort.signal;
  }

  /**
   * Aborts at the same moments; for requests, which remove their listener when they complete. Shared by the runs of a controller where that is possible,
   * because creating a signal costs more than a short run.
   */
  get requestSignal(): AbortSignal {
    const { controller, stopSignal } = this.services;
    const isShared = controller.timeoutMs === undefined && this.#taken.signal === undefined;
    return isShared ? stopSignal : this.signal;
  }

  /** Starts the timeout of the run, where it has one. */
  startTimer(): void {
    const { controller, clock } = this.services;
    const { timeoutMs, name } = controller;
    if (timeoutMs === undefined) return;
    const abort = this.#abort ?? this.#listen();
    this.#abort = abort;
    this.#timer = clock.startTimer(timeoutMs, () => {
      this.expired = true;
      const error = new OperatorError(
        "RECONCILE_TIMEOUT",
        `Cannot finish the run of controller "${name}": it took longer than ${timeoutMs} ms`,
      );
      abort.abort(error);
      this.services.timedOut(this, error);
    });
  }

  /** The run has ended. */
  close(): void {
    this.#timer?.cancel();
    this.#unlisten?.();
    this.#recording?.close();
  }

  /** A call of the context that must settle before the run ends. A call after the end is rejected. */
  call<T>(verb: string, make: () => Promise<T>): Promise<T> {
    if (this.#ended) return Promise.reject(this.#late(verb));
    this.#calls ??= new ContextCalls();
    return this.#calls.add(make());
  }

  /** As {@link call}. A cached read is not tracked: it rejects for nothing that the user's function could miss. */
  read<T>(verb: string, kind: AnyKind, make: () => Promise<T>): Promise<T> {
    return !this.#ended && this.services.access.isCached(kind) ? make() : this.call(verb, make);
  }

  /** As {@link call}, for a write of an object of this kind. A write of a child triggers its owner in any case. */
  write<T>(verb: string, kind: AnyKind, make: () => Promise<T>): Promise<T> {
    const { reads, access } = this.services;
    const isTracked = reads.tracks(kind) && !access.owns(kind);
    return this.call(verb, isTracked ? () => reads.write(this.key, kind, make) : make);
  }

  /** Notes that the run reads a kind from the server, which triggers no later run. */
  readLive(kind: AnyKind): void {
    this.services.staleReads?.read(this.key, kind);
  }

  /** Throws once the run has ended. */
  mustRun(verb: string): void {
    if (this.#ended) throw this.#late(verb);
  }

  /** The user's function has returned: waits for the calls that it did not await, and throws the first rejection that it did not observe. */
  async settleCalls(): Promise<void> {
    try {
      await this.#calls?.settle();
    } finally {
      this.#ended = true;
    }
  }

  /** Ends the run at once where its function observed all calls, as most do. */
  endIfSettled(): boolean {
    if (this.#calls === undefined || this.#calls.areSettled) this.#ended = true;
    return this.#ended;
  }

  #late(verb: string): OperatorError {
    const of = `run ${this.reconcileId} of controller "${this.services.controller.name}" for "${this.key}"`;
    return new OperatorError(
      "RECONCILE_ENDED",
      `Cannot ${verb} in ${of}: it has ended; await each call of its context`,
    );
  }

  /** What the run may return to be requeued. */
  requeueAfter(delay: Duration | 0, options?: RequeueOptions): RequeueAfter {
    this.#askedToRequeue = true;
    return requeueAfterOf(delay, options);
  }

  /** The outcome of a run that did not throw, from what it returned. */
  outcomeOf(returned: unknown): Outcome {
    const outcome = requeueOf(returned);
    if (outcome === undefined && this.#askedToRequeue) this.services.notReturned(this);
    return outcome ?? done;
  }

  /** Reports that the run passes stage 5. */
  reportRun(what: "reconcile" | "finalize"): void {
    const { onStage, controller } = this.services;
    this.verb = what;
    if (onStage === undefined) return;
    const { key, causes, reconcileId } = this;
    onStage("reconcile", {
      kind: controller.kind?.id ?? "",
      key,
      what,
      reconcileId,
      controller: controller.name,
      causes,
    });
  }

  /** Reports that a write of the run passes stage 6. */
  reportWrite(kind: AnyKind, key: ObjectKey, verb: string): void {
    const { onStage, openWrites, client } = this.services;
    this.recording?.write(openWrites, { kind, key, verb }, client.peek(kind, key));
    if (onStage === undefined) return;
    onStage("client", { kind: kind.id, key: formatKey(key), what: verb, reconcileId: this.reconcileId });
  }

  #listen(): AbortController {
    const abort = new AbortController();
    // One listener per request in flight is no leak.
    setMaxListeners(0, abort.signal);
    const { stopSignal } = this.services;
    const { signal } = this.#taken;
    const stops = signal === undefined ? [stopSignal] : [stopSignal, signal];
    const onStop = (): void => abort.abort(stops.find(({ aborted }) => aborted)?.reason);
    if (stops.some(({ aborted }) => aborted)) onStop();
    else for (const stop of stops) stop.addEventListener("abort", onStop, { once: true });
    this.#unlisten = () => {
      for (const stop of stops) stop.removeEventListener("abort", onStop);
    };
    return abort;
  }
}

/** Identifies one run in logs and spans, in the form of a UUID. */
function randomId(random: () => number): string {
  // Eight digits of each number: few calls, because `random` may be slow.
  const eight = (): string =>
    Math.floor(random() * 2 ** 32)
      .toString(16)
      .padStart(8, "0");
  const [second, third] = [eight(), eight()];
  // Joined, because the history keeps it: a template leaves a tree of strings, four times as large.
  return [eight(), second.slice(0, 4), second.slice(4), third.slice(0, 4), third.slice(4) + eight()].join("-");
}
