import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { OperatorError } from "@kubewright/core/errors";

/** The process that holds the lock. Its start time distinguishes it from a later process with the same pid. */
interface Holder {
  readonly pid: number;
  readonly began: string;
}

/** A lock file that gives a folder to one process. The lock of a killed process is stale and is removed. */
export class FolderLock {
  readonly #file: string;

  /** Throws CLUSTER_START_FAILED, with the pid, if another process (or this one) already holds the lock. */
  constructor(folder: string) {
    this.#file = join(folder, "lock");
    const mine = `${this.#file}.${process.pid}.${process.hrtime.bigint()}`;
    writeFileSync(mine, JSON.stringify({ pid: process.pid, began: beganAt(process.pid) } satisfies Holder));
    try {
      // link(2) is atomic: it creates the name or fails, so only one process succeeds.
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
      return; // Another process removed it first.
    }
    // Between the read and the rename another process may have removed the stale lock and taken its own: restore that one.
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
    // EPERM: the process exists but belongs to another user.
    if (!(error instanceof Error && "code" in error && error.code === "EPERM")) return false;
  }
  return beganAt(pid) === began;
}

/** The start time of a process; empty on systems without /proc. */
function beganAt(pid: number): string {
  try {
    // The command name is in parentheses and may contain anything; the 20th field after it is starttime.
    return readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1)?.split(" ")[19] ?? "";
  } catch {
    return "";
  }
}
