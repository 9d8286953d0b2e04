import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { OperatorError } from "@kubewright/core/errors";

/** Who holds a folder: a process, told from a later one with the same number by when it began. */
interface Holder {
  readonly pid: number;
  readonly began: string;
}

/** A folder that belongs to one process; what a killed process left behind does not hold. */
export class FolderLock {
  readonly #file: string;

  /** Throws CLUSTER_START_FAILED, naming the process, when another one (or this one, a second time) has it. */
  constructor(folder: string) {
    this.#file = join(folder, "lock");
    const mine = `${this.#file}.${process.pid}.${process.hrtime.bigint()}`;
    writeFileSync(mine, JSON.stringify({ pid: process.pid, began: beganAt(process.pid) } satisfies Holder));
    try {
      // A link either makes the name or fails: no two processes get past it.
      while (!tryLink(mine, this.#file)) this.#clearStale(folder);
    } finally {
      rmSync(mine, { force: true });
    }
  }

  release(): void {
    rmSync(this.#file, { force: true });
  }

  #clearStale(folder: string): void {
    const holder = readHolder(this.#file);
    if (holder && isRunning(holder))
      throw new OperatorError(
        "CLUSTER_START_FAILED",
        `Cannot use data folder "${folder}": the cluster of process ${holder.pid} is using it`,
      );
    const aside = `${this.#file}.stale.${process.pid}`;
    try {
      renameSync(this.#file, aside);
    } catch {
      return; // Somebody else cleared it first.
    }
    // Between our look and the rename another process may have cleared it and taken the folder: then it gets its lock back.
    const moved = readHolder(aside);
    if (moved && isRunning(moved)) tryLink(aside, this.#file);
    rmSync(aside, { force: true });
  }
}

function tryLink(from: string, to: string): boolean {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EEXIST") return false;
    throw error;
  }
}

function readHolder(file: string): Holder | undefined {
  try {
    const value: unknown = JSON.parse(readFileSync(file, "utf8"));
    const { pid, began } = Object(value) as Partial<Holder>;
    return typeof pid === "number" && typeof began === "string" ? { pid, began } : undefined;
  } catch {
    return undefined;
  }
}

function isRunning({ pid, began }: Holder): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    // Not ours to signal, but there.
    if (!(error instanceof Error && "code" in error && error.code === "EPERM")) return false;
  }
  return beganAt(pid) === began;
}

/** When a process began, where the system tells it; empty elsewhere. */
function beganAt(pid: number): string {
  try {
    // The name of the program stands in parentheses and may hold anything; the 20th field after it is the start.
    return readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1)?.split(" ")[19] ?? "";
  } catch {
    return "";
  }
}
