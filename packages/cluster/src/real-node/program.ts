import { spawn } from "node:child_process";
import { closeSync, mkdirSync, openSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";

const retryMs = 100;
/** How long a program may take to end after SIGTERM. */
const graceMs = 5_000;

/** A program of a node, with its output in a file. */
export interface Program {
  /** Resolves when a check passes. Rejects with the end of the program's output if it exits or takes too long. */
  until(check: () => Promise<boolean>, limitMs: number): Promise<void>;
  /** Asks it to end, and kills it if it does not. */
  stop(): Promise<void>;
}

/** Starts a program. Its output goes to `<name>.log` in the folder. */
export function startProgram(name: string, command: readonly string[], logFolder: string): Program {
  mkdirSync(logFolder, { recursive: true });
  const file = join(logFolder, `${name}.log`);
  const log = openSync(file, "a");
  const [program = "", ...args] = command;
  const child = spawn(program, args, { stdio: ["ignore", log, log], detached: true });
  closeSync(log);
  let failure: string | undefined;
  const ended = new Promise<void>((resolve) => {
    child.once("exit", (code, signal) => {
      failure ??= `it ended with ${signal ?? `code ${code}`}`;
      resolve();
    });
    child.once("error", (error) => {
      failure = error.message;
      resolve();
    });
  });
  const lastOutput = (): string => readFileSync(file, "utf8").trimEnd().split("\n").slice(-20).join("\n");
  return {
    async until(check, limitMs) {
      const endMs = performance.now() + limitMs;
      let why = "it is not ready";
      for (;;) {
        if (failure !== undefined) throw new Error(`Cannot start ${name}: ${failure}\n${lastOutput()}`);
        try {
          if (await check()) return;
        } catch (error) {
          why = error instanceof Error ? error.message : String(error);
        }
        if (performance.now() > endMs)
          throw new Error(`Cannot start ${name}: not ready after ${limitMs / 1_000} s: ${why}\n${lastOutput()}`);
        await delay(retryMs);
      }
    },
    async stop() {
      child.kill("SIGTERM");
      const timer = setTimeout(() => child.kill("SIGKILL"), graceMs);
      await ended;
      clearTimeout(timer);
    },
  };
}
