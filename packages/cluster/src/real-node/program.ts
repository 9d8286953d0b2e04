import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, mkdirSync, openSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";

const retryMs = 100;
/** How long a program may take to end after SIGTERM. */
const graceMs = 5_000;
/** How long a program that has ended stays down. */
const restartMs = 1_000;

/** A check that a program is ready, and how long it may take to pass. */
interface ReadyCheck {
  readonly limitMs: number;
  passes(): Promise<boolean>;
}

/**
 * A program of a node. Its output goes to `<name>.log` in a folder. One that has been ready once is started again when it ends, as systemd does: a
 * kubelet ends when it finds no containerd.
 */
export class Program {
  readonly #name: string;
  readonly #command: readonly string[];
  readonly #logFile: string;
  readonly #ready: ReadyCheck;
  #run: ProgramRun | undefined;
  #isWanted = false;
  #wasReady = false;
  #restart: NodeJS.Timeout | undefined;

  constructor(name: string, command: readonly string[], logFolder: string, ready: ReadyCheck) {
    mkdirSync(logFolder, { recursive: true });
    this.#name = name;
    this.#command = command;
    this.#logFile = join(logFolder, `${name}.log`);
    this.#ready = ready;
  }

  /** Starts it, unless it runs. Resolves when it is ready. Rejects with the end of its output if it never was and ends, or takes too long. */
  async start(): Promise<void> {
    this.#isWanted = true;
    if (this.#run === undefined || this.#run.failure !== undefined) this.#spawn();
    const { limitMs, passes } = this.#ready;
    const endMs = performance.now() + limitMs;
    let why = "it is not ready";
    for (;;) {
      const failure = this.#run?.failure;
      if (!this.#isWanted || (failure !== undefined && !this.#wasReady))
        throw this.#startFailure(failure ?? "it was stopped");
      try {
        if (failure === undefined && (await passes())) {
          this.#wasReady = true;
          return;
        }
      } catch (error) {
        why = error instanceof Error ? error.message : String(error);
      }
      if (performance.now() > endMs)
        throw this.#startFailure(`not ready after ${limitMs / 1_000} s: ${failure ?? why}`);
      await delay(retryMs);
    }
  }

  /** Asks it to end, and kills it if it does not. */
  async stop(): Promise<void> {
    const timer = setTimeout(() => this.#run?.child.kill("SIGKILL"), graceMs);
    await this.#end("SIGTERM");
    clearTimeout(timer);
  }

  /** Ends it as a crash does; but it is not started again until `start`. */
  async kill(): Promise<void> {
    await this.#end("SIGKILL");
  }

  #spawn(): void {
    clearTimeout(this.#restart);
    const run = startProcess(this.#command, this.#logFile);
    this.#run = run;
    void run.ended.then(() => {
      if (!this.#isWanted || !this.#wasReady || this.#run !== run) return;
      this.#restart = setTimeout(() => this.#spawn(), restartMs);
    });
  }

  async #end(signal: NodeJS.Signals): Promise<void> {
    this.#isWanted = false;
    clearTimeout(this.#restart);
    this.#run?.child.kill(signal);
    await this.#run?.ended;
  }

  #startFailure(why: string): Error {
    const lastOutput = readFileSync(this.#logFile, "utf8").trimEnd().split("\n").slice(-20).join("\n");
    return new Error(`Cannot start ${this.#name}: ${why}\n${lastOutput}`);
  }
}

/** One run of a program. */
interface ProgramRun {
  readonly child: ChildProcess;
  readonly ended: Promise<void>;
  /** Why it does not run. */
  failure?: string;
}

function startProcess([program = "", ...args]: readonly string[], logFile: string): ProgramRun {
  const log = openSync(logFile, "a");
  const child = spawn(program, args, { stdio: ["ignore", log, log], detached: true });
  closeSync(log);
  const run: ProgramRun = {
    child,
    ended: new Promise((resolve) => {
      child.once("exit", (code, signal) => {
        run.failure = `it ended with ${signal ?? `code ${code}`}`;
        resolve();
      });
      child.once("error", (error) => {
        run.failure = error.message;
        resolve();
      });
    }),
  };
  return run;
}
