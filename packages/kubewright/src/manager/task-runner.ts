import { type Clock, sleep, type Timer } from "@kubewright/core/clock";
import { OperatorError } from "@kubewright/core/errors";
import type { Logger } from "@kubewright/core/log";
import type { Client } from "../client/index.js";
import { ItemBackoff } from "../queue/index.js";
import type { Task } from "./task.js";

/** The delay before a failed task restarts; a task that ran longer than the maximum starts over with the first. */
const restartMs = { first: 1_000, max: 300_000 };

/** Runs one task: restarts it when it throws, and stops it. */
export class TaskRunner {
  readonly task: Task;
  readonly #client: Client;
  readonly #clock: Clock;
  readonly #log: Logger;
  readonly #failed: (() => void) | undefined;
  readonly #end = new AbortController();
  #running: Promise<void> | undefined;
  #isRunning = false;

  constructor(options: {
    readonly task: Task;
    readonly client: Client;
    readonly clock: Clock;
    readonly logger: Logger;
    /** Called for each throw. */
    readonly failed: (() => void) | undefined;
  }) {
    this.task = options.task;
    this.#client = options.client;
    this.#clock = options.clock;
    this.#log = options.logger.child({ task: options.task.name });
    this.#failed = options.failed;
  }

  /** Starts the task, which ends when `signal` aborts. Does nothing if it was started or stopped before. */
  start(signal: AbortSignal): void {
    if (this.#end.signal.aborted) return;
    this.#running ??= this.#run(AbortSignal.any([signal, this.#end.signal]));
  }

  /** Aborts its signal. Resolves when the task has returned, or after the grace period; true: it has returned. */
  async stop(graceMs: number): Promise<boolean> {
    this.#end.abort(new OperatorError("STOPPED", `Cannot continue: task "${this.task.name}" stops`));
    let timer: Timer | undefined;
    const over = new Promise<void>((resolve) => {
      timer = this.#clock.startTimer(graceMs, resolve);
    });
    await Promise.race([this.#running, over]);
    timer?.cancel();
    if (this.#isRunning) this.#log.error({}, "Task did not return within the grace period");
    return !this.#isRunning;
  }

  async #run(signal: AbortSignal): Promise<void> {
    const backoff = new ItemBackoff(restartMs.first, restartMs.max);
    const context = { signal, client: this.#client, log: this.#log, clock: this.#clock };
    while (!signal.aborted) {
      const startedMs = this.#clock.monotonic();
      this.#isRunning = true;
      try {
        await this.task.run(context);
        this.#log.debug({}, "Task ended");
        return;
      } catch (err) {
        // An aborted task has not failed.
        if (signal.aborted) return;
        if (this.#clock.monotonic() - startedMs > restartMs.max) backoff.forget("");
        const delayMs = backoff.next("");
        this.#isRunning = false;
        this.#log.error({ err, delayMs }, "Task failed, will restart");
        this.#failed?.();
        await sleep(this.#clock, delayMs, signal);
      } finally {
        this.#isRunning = false;
      }
    }
  }
}
