import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import { Worker } from "node:worker_threads";
import type { Timer } from "@kubewright/core/clock";
import { OperatorError } from "@kubewright/core/errors";
import type { Logger } from "@kubewright/core/log";
import type { Connection } from "../transport/index.js";
import type { Election } from "./election.js";
import { hrtimeClock } from "./hrtime-clock.js";
import { Leadership } from "./leadership.js";
import type { FromLeaseWorker, LeaseWorkerStart, ToLeaseWorker } from "./lease-messages.js";
import type { LeaseSettings } from "./lease-options.js";
import { SharedHold } from "./shared-hold.js";

/** What an election on a thread of its own needs. */
export interface WorkerElectionOptions {
  readonly settings: LeaseSettings;
  /** The thread has connections of its own to this server. */
  readonly connection: Connection;
  readonly userAgent: string;
  readonly logger: Logger;
}

/** How often the main thread says that it is alive. */
const signPeriodMs = 500;
/** How much longer than the thread's own bound its end may take. */
const patienceMs = 2_000;

/**
 * Wants and renews the lease on a thread of its own, so that work which keeps the main thread busy does not lose it.
 *
 * The deadline lies in memory that both threads share: the main thread knows it without any message. When the main thread gives no sign
 * for `maxSilenceMs`, renewal ends: a process that hangs must not hold the lease for ever.
 */
export class WorkerElection implements Election {
  readonly identity: string;
  readonly leadership: Leadership;
  readonly #options: WorkerElectionOptions;
  readonly #hold = new SharedHold();
  #worker: Worker | undefined;
  #ended: Promise<void> = Promise.resolve();
  #sign: Timer | undefined;

  constructor(options: WorkerElectionOptions) {
    const { name, namespace, identity } = options.settings;
    this.#options = options;
    this.identity = identity;
    this.leadership = new Leadership({ hold: this.#hold, clock: hrtimeClock, lease: `${namespace}/${name}` });
  }

  start(): void {
    this.#giveSigns();
    const { settings, connection, userAgent } = this.#options;
    const start: LeaseWorkerStart = {
      kubewrightLease: true,
      settings,
      connection,
      userAgent,
      memory: this.#hold.memory,
    };
    const worker = startThread(start);
    this.#worker = worker;
    worker.on("message", (message: FromLeaseWorker) => this.#hear(message));
    this.#ended = new Promise((resolve) => {
      worker.on("error", (error) => this.leadership.lose(`the thread that renews it failed: ${error.message}`));
      worker.on("exit", () => {
        this.leadership.lose("the thread that renews it has ended");
        resolve();
      });
    });
  }

  release(): Promise<void> {
    return this.#end(this.leadership.lost.aborted ? "abandon" : "release");
  }

  abandon(): Promise<void> {
    return this.#end("abandon");
  }

  async #end(kind: ToLeaseWorker["kind"]): Promise<void> {
    this.leadership.resign();
    this.#sign?.cancel();
    const worker = this.#worker;
    if (worker === undefined) return;
    const message: ToLeaseWorker = { kind };
    worker.postMessage(message);
    const boundMs = patienceMs + (kind === "release" ? this.#options.settings.timing.renewDeadlineMs : 0);
    const timer = hrtimeClock.startTimer(boundMs, () => void worker.terminate());
    await this.#ended;
    timer.cancel();
  }

  #hear(message: FromLeaseWorker): void {
    switch (message.kind) {
      case "acquired":
        this.leadership.begin();
        return;
      case "lost":
        this.leadership.lose(message.why);
        return;
      case "log":
        this.#options.logger[message.level](message.fields, message.message);
        return;
      case "ended":
        // The thread has nothing left to do; what a library may have kept open must not keep it.
        void this.#worker?.terminate();
        return;
      default:
        message satisfies never;
    }
  }

  #giveSigns(): void {
    this.#hold.giveSign(hrtimeClock.monotonic());
    const periodMs = Math.min(signPeriodMs, this.#options.settings.maxSilenceMs / 4);
    this.#sign = hrtimeClock.startTimer(periodMs, () => this.#giveSigns());
  }
}

/**
 * Starts the thread's file, which lies beside this module, or in the folder `lease` where all modules were put into one file.
 *
 * The sources are TypeScript, which a thread must first be taught to read; that is for developers of the framework only.
 */
function startThread(workerData: LeaseWorkerStart): Worker {
  const common = { name: "kubewright-lease", workerData };
  if (import.meta.url.endsWith(".ts")) {
    const api = createRequire(import.meta.url).resolve("tsx/esm/api");
    const reader = JSON.stringify(pathToFileURL(api.replace(/\.cjs$/, ".mjs")));
    const file = JSON.stringify(new URL("./lease-worker.ts", import.meta.url));
    const code = `import(${reader}).then(({ register }) => { register(); return import(${file}); });`;
    return new Worker(code, { ...common, eval: true, execArgv: ["--conditions=kubewright-source"] });
  }
  const besides = new URL("./lease-worker.js", import.meta.url);
  const below = new URL("./lease/lease-worker.js", import.meta.url);
  const file = [besides, below].find((candidate) => existsSync(candidate));
  if (file !== undefined) return new Worker(file, common);
  throw new OperatorError(
    "NOT_SUPPORTED",
    "Cannot elect a leader: the file of the thread that renews the lease is missing; do not bundle the package kubewright into one file",
  );
}
