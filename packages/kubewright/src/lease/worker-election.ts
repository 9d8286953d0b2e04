import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import { Worker } from "node:worker_threads";
import type { Timer } from "@kubewright/core/clock";
import { OperatorError } from "@kubewright/core/errors";
import type { Logger } from "@kubewright/core/log";
import type { RequestCounter } from "../metrics/index.js";
import type { Connection } from "../transport/index.js";
import type { Election } from "./election.js";
import { hrtimeClock } from "./hrtime-clock.js";
import { Leadership } from "./leadership.js";
import type { FromLeaseWorker, LeaseWorkerStart, ToLeaseWorker } from "./lease-messages.js";
import type { LeaseSettings } from "./lease-options.js";
import { SharedHold } from "./shared-hold.js";

/** Options of {@link WorkerElection}. */
export interface WorkerElectionOptions {
  readonly settings: LeaseSettings;
  /** The thread opens its own connections to this server. */
  readonly connection: Connection;
  readonly userAgent: string;
  readonly logger: Logger;
  /** Counts the thread's requests. @default they are not counted */
  readonly metrics?: RequestCounter;
}

/** Heartbeat interval of the main thread. */
const heartbeatPeriodMs = 500;
/** How long to wait for the thread beyond its own deadline before it is terminated. */
const terminationGraceMs = 2_000;

/**
 * Acquires and renews the lease on a separate thread, so that a busy main thread does not lose it.
 *
 * The deadline is in shared memory: the main thread reads it without a message. Without a heartbeat of the main thread for `maxSilenceMs`, renewal
 * stops: a hung process must not hold the lease forever.
 */
export class WorkerElection implements Election {
  readonly identity: string;
  readonly leadership: Leadership;
  readonly #options: WorkerElectionOptions;
  readonly #hold = new SharedHold();
  #worker: Worker | undefined;
  #ended: Promise<void> = Promise.resolve();
  #heartbeat: Timer | undefined;

  constructor(options: WorkerElectionOptions) {
    const { name, namespace, identity } = options.settings;
    this.#options = options;
    this.identity = identity;
    this.leadership = new Leadership({ hold: this.#hold, clock: hrtimeClock, lease: `${namespace}/${name}` });
  }

  start(): void {
    this.#sendHeartbeats();
    const { settings, connection, userAgent, metrics } = this.#options;
    const start: LeaseWorkerStart = {
      kubewrightLease: true,
      settings,
      connection,
      userAgent,
      memory: this.#hold.memory,
      countRequests: metrics !== undefined,
    };
    const worker = startThread(start);
    this.#worker = worker;
    worker.on("message", (message: FromLeaseWorker) => this.#onMessage(message));
    this.#ended = new Promise((resolve) => {
      worker.on("error", (error) => this.leadership.lose(`the renewal thread failed: ${error.message}`));
      worker.on("exit", () => {
        this.leadership.lose("the renewal thread exited");
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
    this.#heartbeat?.cancel();
    const worker = this.#worker;
    if (worker === undefined) return;
    const message: ToLeaseWorker = { kind };
    worker.postMessage(message);
    const boundMs = terminationGraceMs + (kind === "release" ? this.#options.settings.timing.renewDeadlineMs : 0);
    const timer = hrtimeClock.startTimer(boundMs, () => void worker.terminate());
    await this.#ended;
    timer.cancel();
  }

  #onMessage(message: FromLeaseWorker): void {
    switch (message.kind) {
      case "acquired":
        this.leadership.markAcquired();
        return;
      case "lost":
        this.leadership.lose(message.why);
        return;
      case "log":
        this.#options.logger[message.level](message.fields, message.message);
        return;
      case "request":
        this.#options.metrics?.requestEnded(message.method, message.host, message.code, message.seconds);
        return;
      case "ended":
        // The thread has finished; a handle that a library left open must not keep it running.
        void this.#worker?.terminate();
        return;
      default:
        message satisfies never;
    }
  }

  #sendHeartbeats(): void {
    this.#hold.recordHeartbeat(hrtimeClock.monotonic());
    const periodMs = Math.min(heartbeatPeriodMs, this.#options.settings.maxSilenceMs / 4);
    this.#heartbeat = hrtimeClock.startTimer(periodMs, () => this.#sendHeartbeats());
  }
}

/**
 * Returns an election on a separate thread; undefined, with a warning, if a bundler merged the thread's entry file into another one. The caller then
 * elects on its own thread.
 */
export function electOnThread(options: WorkerElectionOptions): WorkerElection | undefined {
  if (workerFile() !== undefined) return new WorkerElection(options);
  const { logger, settings } = options;
  logger.warn(
    { renewDeadlineMs: settings.timing.renewDeadlineMs },
    "Renewing the Lease on the main thread, because the bundle lacks the file lease/lease-worker.js of the package kubewright: code that blocks the thread for longer than the renew deadline loses the Lease. Keep kubewright external to avoid this",
  );
  return undefined;
}

/**
 * The entry file of the thread: beside this module, or in `lease/` if the package's own build merged the other modules. Undefined in a bundle of one
 * file.
 */
function workerFile(): URL | undefined {
  // Bundlers leave import.meta empty in CommonJS.
  const here: string | undefined = import.meta.url;
  if (here === undefined) return undefined;
  if (here.endsWith(".ts")) return new URL("./lease-worker.ts", import.meta.url);
  const beside = new URL("./lease-worker.js", import.meta.url);
  const below = new URL("./lease/lease-worker.js", import.meta.url);
  return [beside, below].find((file) => existsSync(file));
}

/** Starts the thread. When it runs from the TypeScript sources (development of the framework only), the thread registers tsx first. */
function startThread(workerData: LeaseWorkerStart): Worker {
  const common = { name: "kubewright-lease", workerData };
  const file = workerFile();
  if (file === undefined)
    throw new OperatorError(
      "NOT_SUPPORTED",
      "Cannot start the renewal thread: the file lease/lease-worker.js is missing",
    );
  if (!file.pathname.endsWith(".ts")) return new Worker(file, common);
  const api = createRequire(import.meta.url).resolve("tsx/esm/api");
  const reader = JSON.stringify(pathToFileURL(api.replace(/\.cjs$/, ".mjs")));
  const code = `import(${reader}).then(({ register }) => { register(); return import(${JSON.stringify(file)}); });`;
  return new Worker(code, { ...common, eval: true, execArgv: ["--conditions=kubewright-source"] });
}
