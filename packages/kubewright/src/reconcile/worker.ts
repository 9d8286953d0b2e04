import { setMaxListeners } from "node:events";
import type { Clock, Timer } from "@kubewright/core/clock";
import { OperatorError } from "@kubewright/core/errors";
import type { Logger } from "@kubewright/core/log";
import type { QueueEntry, WorkQueue } from "../queue/index.js";
import type { Cause } from "../route/index.js";
import type { AnyController } from "./cached-kinds.js";
import type { Fight } from "./fight-detector.js";
import type { KeyOwnership } from "./key-ownership.js";
import type { Outcome } from "./outcome.js";

/** Is told of each run; for metrics. Must not throw. */
export interface ReconcileObserver {
  /** A field goes to and fro between this controller and somebody else, or between its own runs. */
  fought?(fight: Fight): void;
  started?(key: string): void;
  finished?(
    key: string,
    run: { readonly outcome: Outcome; readonly durationMs: number; readonly timedOut: boolean },
  ): void;
}

/** One run, for whoever stands around it. */
export interface RunDescription {
  readonly controller: string;
  readonly key: string;
  readonly reconcileId: string;
  readonly causes: readonly Cause[];
}

/** Stands around each run: calls `run` once and gives what it gives. For spans. */
export type AroundRun = (description: RunDescription, run: () => Promise<Outcome>) => Promise<Outcome>;

/** What every run is given. */
export interface RunEnvironment {
  readonly reconcileId: string;
  /** Aborts when the run is to end: timeout, shutdown, lost lease. */
  readonly signal: AbortSignal;
  /** Carries the controller, the key and the reconcileId. */
  readonly logger: Logger;
  readonly clock: Clock;
}

/** What the workers of a controller share. */
export interface WorkerOptions {
  readonly controller: AnyController;
  readonly clock: Clock;
  /** Between 0 and 1. */
  readonly random: () => number;
  readonly logger: Logger;
  /** The run that a key asks for, which never rejects; undefined when there is nothing left to run on. */
  readonly runOf: (entry: QueueEntry<Cause>) => ((environment: RunEnvironment) => Promise<Outcome>) | undefined;
  readonly queue: WorkQueue<Cause>;
  readonly observer: ReconcileObserver;
  readonly around?: AroundRun;
  /** Where several processes share the work. */
  readonly ownership?: KeyOwnership;
  /** Aborts runs: shutdown. */
  readonly stopSignal: AbortSignal;
  /** Is told each outcome, before the key is given back. */
  readonly settled: (key: string, outcome: Outcome) => void;
  /** Is told each key that another process works on from now on. */
  readonly dropped: (key: string) => void;
}

/**
 * Takes one key after the other and makes its run, until the queue is shut down and empty. Never rejects.
 *
 * Guarantees: a key never runs twice at once, since the queue holds it until its run has really ended; also a run that does
 * not listen to its signal is awaited. The function must be safe to repeat: after a crash the same key comes again.
 */
export async function work(options: WorkerOptions): Promise<void> {
  const { queue } = options;
  for (let entry = await queue.take(); entry !== undefined; entry = await queue.take()) {
    const { key } = entry;
    const turn = options.ownership?.enter(key);
    if (options.ownership !== undefined && turn === undefined) {
      // Another process works on it; what is to be done will be done there.
      options.dropped(key);
      queue.forget(key);
      queue.done(key);
      continue;
    }
    const reconcileId = randomId(options.random);
    const logger = options.logger.child({
      controller: options.controller.name,
      ...(options.controller.kind && { kind: options.controller.kind.id }),
      key,
      reconcileId,
    });
    const outcome = await runEntry({ ...options, logger }, entry, reconcileId, turn?.signal);
    if (turn?.signal.aborted) {
      // A run that was told to end has not failed.
      logger.debug({ outcome: outcome.kind }, "Run ended, its object goes to another process");
      options.dropped(key);
      queue.forget(key);
    } else {
      options.settled(key, outcome);
      settle({ ...options, logger }, key, outcome);
    }
    queue.done(key);
    turn?.end();
  }
}

async function runEntry(
  options: WorkerOptions,
  entry: QueueEntry<Cause>,
  reconcileId: string,
  turnSignal: AbortSignal | undefined,
): Promise<Outcome> {
  const { controller, clock, observer, logger, around } = options;
  const run = options.runOf(entry);
  if (run === undefined) return { kind: "done" };
  const startedMs = clock.monotonic();
  observer.started?.(entry.key);
  const deadline = new Deadline(options, turnSignal);
  const { causes, key } = entry;
  const execute = (): Promise<Outcome> => run({ reconcileId, signal: deadline.signal, logger, clock });
  const description = { controller: controller.name, key, reconcileId, causes };
  const outcome = await (around ? around(description, execute) : execute());
  deadline.close();
  observer.finished?.(entry.key, { outcome, durationMs: clock.monotonic() - startedMs, timedOut: deadline.expired });
  return outcome;
}

function settle({ queue, logger: log, stopSignal }: WorkerOptions, key: string, outcome: Outcome): void {
  if (stopSignal.aborted) {
    // The queue takes nothing in any more, and a run that was told to end has not failed.
    log.debug({ outcome: outcome.kind }, "Run ended with the controller");
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
      log.error({ err: outcome.error, attempt, delayMs }, "Reconcile failed, will retry");
      return;
    }
    case "terminal":
      queue.forget(key);
      log.error({ err: outcome.error }, "Reconcile failed for good, waits for the next change");
      return;
    default:
      outcome satisfies never;
  }
}

/** The signal of one run: aborts on its timeout, when the controller stops, and when its key goes to another process. */
class Deadline {
  readonly #abort = new AbortController();
  readonly #stops: readonly AbortSignal[];
  readonly #onStop = (): void => this.#abort.abort(this.#stops.find(({ aborted }) => aborted)?.reason);
  readonly #timer: Timer | undefined;
  expired = false;

  constructor({ controller, clock, stopSignal }: WorkerOptions, turnSignal: AbortSignal | undefined) {
    // One listener for each request under way is no leak.
    setMaxListeners(0, this.#abort.signal);
    this.#stops = turnSignal === undefined ? [stopSignal] : [stopSignal, turnSignal];
    if (this.#stops.some(({ aborted }) => aborted)) this.#onStop();
    else for (const stop of this.#stops) stop.addEventListener("abort", this.#onStop, { once: true });
    const { timeoutMs, name } = controller;
    if (timeoutMs === undefined) return;
    this.#timer = clock.startTimer(timeoutMs, () => {
      this.expired = true;
      this.#abort.abort(
        new OperatorError(
          "RECONCILE_TIMEOUT",
          `Cannot finish the run of controller "${name}": it took longer than ${timeoutMs} ms`,
        ),
      );
    });
  }

  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  close(): void {
    this.#timer?.cancel();
    for (const stop of this.#stops) stop.removeEventListener("abort", this.#onStop);
  }
}

/** Names one run in logs and traces, in the form of a UUID. */
function randomId(random: () => number): string {
  // Eight digits of each number: the numbers may come from a source that takes its time.
  const eight = (): string =>
    Math.floor(random() * 2 ** 32)
      .toString(16)
      .padStart(8, "0");
  const [second, third] = [eight(), eight()];
  return `${eight()}-${second.slice(0, 4)}-${second.slice(4)}-${third.slice(0, 4)}-${third.slice(4)}${eight()}`;
}
