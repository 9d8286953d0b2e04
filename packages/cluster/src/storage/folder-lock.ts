import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { OperatorError } from "@kubewright/core/errors";
import { isRunning, type ProcessIdentity, type ProcessTable, startTimeOf, systemProcesses } from "../process/index.js";

/** Exclusive use of a directory by one process. The lock of a process that has terminated is stale and is replaced. */
export class FolderLock {
  readonly #file: string;
  readonly #processes: ProcessTable;

  /** Throws CLUSTER_START_FAILED, naming the process, when a running process holds the lock, this one included. */
  constructor(folder: string, processes: ProcessTable = systemProcesses) {
    this.#file = join(folder, "lock");
    this.#processes = processes;
    const mine = `${this.#file}.${process.pid}.${process.hrtime.bigint()}`;
    const holder: ProcessIdentity = { pid: process.pid, startTime: startTimeOf(process.pid, processes) ?? "" };
    writeFileSync(mine, JSON.stringify(holder));
    try {
      // link(2) creates the name or fails, so only one process succeeds.
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
    if (holder && isRunning(holder, this.#processes))
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
    // Another process may have replaced the stale lock between our read and the rename: restore its lock.
    const moved = readHolder(aside);
    if (moved && isRunning(moved, this.#processes)) tryLink(aside, this.#file);
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

function readHolder(file: string): ProcessIdentity | undefined {
  try {
    const value: unknown = JSON.parse(readFileSync(file, "utf8"));
    const { pid, startTime } = Object(value) as Partial<ProcessIdentity>;
    return typeof pid === "number" && typeof startTime === "string" ? { pid, startTime } : undefined;
  } catch {
    return undefined;
  }
}
