import { writesDebug } from "@kubewright/core/log";
import { durationMs } from "@kubewright/core/meta";
import type { RecordedOutcome } from "../history/index.js";
import type { QueueEntry, WorkQueue } from "../queue/index.js";
import type { Cause } from "../route/index.js";
import type { AnyController } from "./cached-kinds.js";
import { recordFailure } from "./failure-event.js";
import type { FieldConflict } from "./field-conflict-detector.js";
import type { KeyOwnership, KeyTurn } from "./key-ownership.js";
import { failureFields, logRun } from "./log-run.js";
import { failed, type Outcome } from "./outcome.js";
import { leastRetryMs } from "./retry-delay.js";
import { Run, type Services, type Subject } from "./run.js";

/** Observes each run; for metrics. What it throws is logged. */
export interface ReconcileObserver {
  /** A field-ownership conflict with another field manager, or a flapping value of the controller's own. */
  fieldConflict?(conflict: FieldConflict): void;
  started?(key: string): void;
  /** A run exceeded its timeout. It may never finish. */
  timedOut?(key: string): void;
  finished?(key: string, run: { readonly outcome: Outcome; readonly durationMs: number }): void;
  /** A mapping threw for an object of this kind. */
  mappingFailed?(kind: string): void;
  /** An event was dropped, because the server is slow. */
  eventDropped?(): void;
}

/** Wraps each run: calls `execute` once and returns its result. For spans. */
export type AroundRun = (run: Run<AnyController>, execute: () => Promise<Outcome>) => Promise<Outcome>;

/** What the workers of a controller share. */
export interface WorkerOptions<C extends AnyController> {
  readonly services: Services<C>;
  readonly queue: WorkQueue<Cause>;
  /** What a key is about; "gone" when its object no longer exists. */
  readonly subjectOf: (key: string) => Subject<C> | "gone";
  /** Never rejects. */
  readonly reconcile: (run: Run<C>) => Promise<Outcome>;
  readonly observer: ReconcileObserver;
  readonly around?: AroundRun;
  /** Set with sharding. */
  readonly ownership?: KeyOwnership;
  /** Called with each outcome, before the key is released. */
  readonly settled: (key: string, outcome: Outcome) => void;
  /** Called with each key before its run. */
  readonly begins: (key: string) => void;
  /** Called with each key whose object no longer exists. */
  readonly gone: (key: string) => void;
  /** Called with each key that another replica owns from now on. */
  readonly dropped: (key: string) => void;
}

/**
 * Processes one key after the other until the queue is shut down and empty. Rejects for a defect only; the key is queued again, and the caller starts
 * another worker.
 *
 * Guarantees: a key never runs twice at once, since the queue holds it until its run has returned; a run that ignores its signal is awaited
 * too. The function must be safe to repeat: after a crash the same key comes again.
 */
export async function work<C extends AnyController>(options: WorkerOptions<C>): Promise<void> {
  const { queue, ownership } = options;
  for (let entry = await queue.take(); entry !== undefined; entry = await queue.take()) {
    const { key } = entry;
    let turn: KeyTurn | undefined;
    try {
      turn = ownership?.enter(key);
      // Without a turn another replica reconciles it.
      if (ownership !== undefined && turn === undefined) drop(options, key);
      else await runEntry(options, entry, turn?.signal);
    } catch (error) {
      // The worker ends, and restarts; its key must not be lost.
      queue.addRateLimited(key, { source: "retry", error: messageOf(failed(error)) });
      throw error;
    } finally {
      queue.done(key);
      turn?.end();
    }
  }
}

function drop({ queue, dropped }: Pick<WorkerOptions<AnyController>, "queue" | "dropped">, key: string): void {
  dropped(key);
  queue.forget(key);
}

async function runEntry<C extends AnyController>(
  options: WorkerOptions<C>,
  { key, causes }: QueueEntry<Cause>,
  turnSignal: AbortSignal | undefined,
): Promise<void> {
  const { services, observer } = options;
  let object: Subject<C> | "gone";
  try {
    object = options.subjectOf(key);
  } catch (error) {
    // The server sent something that cannot be read. Other keys must not wait for it.
    const outcome = failed(error);
    const delayMs = options.queue.addRateLimited(key, { source: "retry", error: messageOf(outcome) });
    services.logger.error(
      { controller: services.controller.name, key, err: error, delayMs },
      "Cannot read the object, will retry",
    );
    options.settled(key, outcome);
    return;
  }
  if (object === "gone") {
    options.settled(key, { kind: "done" });
    options.queue.forget(key);
    options.gone(key);
    return;
  }
  options.begins(key);
  const run = new Run(services, { key, causes, signal: turnSignal }, object);
  const startedMs = services.clock.monotonic();
  observe(run, () => observer.started?.(key));
  run.startTimer();
  const outcome = await execute(options, run);
  run.close();
  const durationMs = services.clock.monotonic() - startedMs;
  observe(run, () => observer.finished?.(key, { outcome, durationMs }));
  if (turnSignal?.aborted) {
    // An aborted run has not failed.
    run.logger.debug({ outcome: outcome.kind }, "Reconcile stopped, its shard moves to another replica");
    drop(options, key);
    record(run, durationMs, { kind: "stopped" });
  } else {
    options.settled(key, outcome);
    record(run, durationMs, settle(options.queue, run, outcome));
  }
}

/** Logs and keeps what the run did, for people. */
function record(run: Run<AnyController>, durationMs: number, outcome: RecordedOutcome): void {
  const { history, controller, clock, logger } = run.services;
  if (outcome.kind !== "stopped" && writesDebug(logger)) logRun(run, durationMs, outcome);
  if (history === undefined) return;
  const { key, causes, usedId, recorded } = run;
  history.add({
    controller: controller.name,
    kind: controller.kind?.id ?? "",
    key,
    verb: run.verb,
    reconcileId: usedId,
    startedAtMs: clock.now() - durationMs,
    durationMs,
    causes,
    recording: recorded,
    outcome,
  });
}

async function execute<C extends AnyController>(
  { around, reconcile }: WorkerOptions<C>,
  run: Run<C>,
): Promise<Outcome> {
  if (around === undefined) return reconcile(run);
  let running: Promise<Outcome> | undefined;
  const once = (): Promise<Outcome> => {
    running ??= reconcile(run);
    return running;
  };
  try {
    return await around(run, once);
  } catch (err) {
    run.logger.error({ err }, "Cannot wrap the run");
    return once();
  }
}

/** The delay that the controller chooses; undefined for the backoff. */
function chosenDelayMs(
  { services, key, logger }: Run<AnyController>,
  failures: number,
  error: Error,
): number | undefined {
  const { retryDelay } = services.controller;
  if (retryDelay === undefined) return undefined;
  try {
    return durationMs("retryDelay", retryDelay({ key, failures, error }));
  } catch (err) {
    logger.error({ err }, "Cannot choose the delay of a retry");
    return undefined;
  }
}

/** An observer must not change what happens to a key. */
function observe(run: Run<AnyController>, call: () => void): void {
  try {
    call();
  } catch (err) {
    run.logger.error({ err }, "Observer of reconciles failed");
  }
}

function messageOf(outcome: Outcome): string {
  return "error" in outcome ? outcome.error.message : "";
}

/** Decides what happens to the key, and returns that for people. */
function settle(queue: WorkQueue<Cause>, run: Run<AnyController>, outcome: Outcome): RecordedOutcome {
  const { services, key } = run;
  if (services.stopSignal.aborted) {
    // The queue is shut down, and an aborted run has not failed.
    run.logger.debug({ outcome: outcome.kind }, "Reconcile stopped with its controller");
    return { kind: "stopped" };
  }
  switch (outcome.kind) {
    case "done":
      queue.forget(key);
      return outcome;
    case "requeue":
      queue.forget(key);
      queue.addAfter(key, outcome.afterMs, { source: "requeue" }, outcome.priority);
      return { kind: "requeue", nextAfterMs: outcome.afterMs };
    case "retry": {
      const failures = queue.failures(key) + 1;
      const error = outcome.error.message;
      const delayOf = (count: number, backoffMs: number): number =>
        chosenDelayMs(run, count, outcome.error) ?? Math.max(backoffMs, leastRetryMs(outcome.error));
      const delayMs = queue.addRateLimited(key, { source: "retry", error }, delayOf);
      run.logger.error(
        { ...failureFields(run, outcome.error), attempt: failures, delayMs },
        "Reconcile failed, will retry",
      );
      recordFailure(run, outcome.error, failures);
      return { kind: "retry", error, failures, nextAfterMs: delayMs };
    }
    case "terminal":
      queue.forget(key);
      run.logger.error(
        failureFields(run, outcome.error),
        "Reconcile failed with a terminal error, waiting for the next change",
      );
      recordFailure(run, outcome.error, Number.POSITIVE_INFINITY);
      return { kind: "terminal", error: outcome.error.message };
    default:
      return outcome satisfies never;
  }
}
