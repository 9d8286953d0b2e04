import type { QueueEntry, WorkQueue } from "../queue/index.js";
import type { Cause } from "../route/index.js";
import type { FieldConflict } from "./field-conflict-detector.js";
import type { KeyOwnership } from "./key-ownership.js";
import type { Outcome } from "./outcome.js";
import { RequestSignal } from "./request-signal.js";
import { type EnvironmentOptions, RunEnvironment } from "./run-environment.js";

/** Observes each run; for metrics. Must not throw. */
export interface ReconcileObserver {
  /** A field-ownership conflict with another field manager, or a flapping value of the controller's own. */
  fieldConflict?(conflict: FieldConflict): void;
  started?(key: string): void;
  finished?(
    key: string,
    run: { readonly outcome: Outcome; readonly durationMs: number; readonly timedOut: boolean },
  ): void;
}

/** One run, for what wraps it. */
export interface RunDescription {
  readonly controller: string;
  readonly key: string;
  readonly reconcileId: string;
  readonly causes: readonly Cause[];
}

/** Wraps each run: calls `run` once and returns its result. For spans. */
export type AroundRun = (description: RunDescription, run: () => Promise<Outcome>) => Promise<Outcome>;

/** What the workers of a controller share. */
export interface WorkerOptions extends EnvironmentOptions {
  /** The run of a key, which never rejects; undefined when its object no longer exists. */
  readonly runOf: (entry: QueueEntry<Cause>) => ((environment: RunEnvironment) => Promise<Outcome>) | undefined;
  readonly queue: WorkQueue<Cause>;
  readonly observer: ReconcileObserver;
  readonly around?: AroundRun;
  /** Set with sharding. */
  readonly ownership?: KeyOwnership;
  /** Called with each outcome, before the key is released. */
  readonly settled: (key: string, outcome: Outcome) => void;
  /** Called with each key that another replica owns from now on. */
  readonly dropped: (key: string) => void;
}

/**
 * Processes one key after the other until the queue is shut down and empty. Never rejects.
 *
 * Guarantees: a key never runs twice at once, since the queue holds it until its run has returned; a run that ignores its signal is awaited
 * too. The function must be safe to repeat: after a crash the same key comes again.
 */
export async function work(options: WorkerOptions): Promise<void> {
  const { queue } = options;
  const requests = new RequestSignal(options.stopSignal);
  for (let entry = await queue.take(); entry !== undefined; entry = await queue.take()) {
    const { key } = entry;
    const turn = options.ownership?.enter(key);
    if (options.ownership !== undefined && turn === undefined) {
      // Another replica reconciles it.
      options.dropped(key);
      queue.forget(key);
      queue.done(key);
      continue;
    }
    const environment = new RunEnvironment(options, key, requests, turn?.signal);
    const outcome = await runEntry(options, entry, environment);
    if (turn?.signal.aborted) {
      // An aborted run has not failed.
      environment.logger.debug({ outcome: outcome.kind }, "Reconcile stopped, its shard moves to another replica");
      options.dropped(key);
      queue.forget(key);
    } else {
      options.settled(key, outcome);
      settle(options, environment, key, outcome);
    }
    queue.done(key);
    turn?.end();
    requests.runEnded();
  }
  requests.close();
}

async function runEntry(
  options: WorkerOptions,
  entry: QueueEntry<Cause>,
  environment: RunEnvironment,
): Promise<Outcome> {
  const { controller, clock, observer, around } = options;
  const run = options.runOf(entry);
  if (run === undefined) return { kind: "done" };
  const { key, causes } = entry;
  const startedMs = clock.monotonic();
  observer.started?.(key);
  environment.startTimer();
  const outcome = await (around === undefined
    ? run(environment)
    : around({ controller: controller.name, key, reconcileId: environment.reconcileId, causes }, () =>
        run(environment),
      ));
  environment.close();
  observer.finished?.(key, { outcome, durationMs: clock.monotonic() - startedMs, timedOut: environment.expired });
  return outcome;
}

function settle(
  { queue, stopSignal }: WorkerOptions,
  environment: RunEnvironment,
  key: string,
  outcome: Outcome,
): void {
  if (stopSignal.aborted) {
    // The queue is shut down, and an aborted run has not failed.
    environment.logger.debug({ outcome: outcome.kind }, "Reconcile stopped with its controller");
    return;
  }
  switch (outcome.kind) {
    case "done":
      queue.forget(key);
      return;
    case "requeue":
      queue.forget(key);
      queue.addAfter(key, outcome.afterMs, { source: "requeue" });
      return;
    case "retry": {
      const attempt = queue.failures(key) + 1;
      const delayMs = queue.addRateLimited(key, { source: "retry", error: outcome.error.message });
      environment.logger.error({ err: outcome.error, attempt, delayMs }, "Reconcile failed, will retry");
      return;
    }
    case "terminal":
      queue.forget(key);
      environment.logger.error(
        { err: outcome.error },
        "Reconcile failed with a terminal error, waiting for the next change",
      );
      return;
    default:
      outcome satisfies never;
  }
}
