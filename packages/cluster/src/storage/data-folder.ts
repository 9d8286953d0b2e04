import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { OperatorError } from "@kubewright/core/errors";
import { FolderLock } from "./folder-lock.js";

const markName = "kubewright-data.json";
const formatVersion = 1;

/** The folder that persists a cluster; used by one process at a time. */
export class DataFolder {
  readonly path: string;
  readonly #lock: FolderLock;

  /**
   * Locks the folder; creates it if missing.
   *
   * Throws CLUSTER_START_FAILED if another process uses it, if it holds other files, or if a newer version wrote it.
   */
  constructor(path: string) {
    this.path = path;
    try {
      makeFolder(resolve(path));
      checkMark(path);
      this.#lock = new FolderLock(path);
    } catch (error) {
      throw error instanceof OperatorError ? error : refusal(path, error instanceof Error ? error.message : "unknown");
    }
  }

  /** Path of the database. */
  get database(): string {
    return join(this.path, "objects");
  }

  /** The content of a text file in the folder; undefined if it does not exist. */
  readText(name: string): string | undefined {
    const file = join(this.path, name);
    return existsSync(file) ? readFileSync(file, "utf8") : undefined;
  }

  /** Writes such a file, readable by this user only. */
  writeText(name: string, text: string): void {
    writeFileSync(join(this.path, name), text, { mode: 0o600 });
  }

  /** Releases the lock. */
  close(): void {
    this.#lock.release();
  }
}

/** Creates a folder and its parents. `mkdirSync` with `recursive` never returns where no folder can be created, such as below `/proc`. */
function makeFolder(path: string): void {
  if (existsSync(path)) return;
  makeFolder(dirname(path));
  mkdirSync(path, { mode: 0o700 });
}

/** The error for a folder that cannot be used. */
export function refusal(path: string, why: string, cause?: unknown): OperatorError {
  return new OperatorError("CLUSTER_START_FAILED", `Cannot use data folder "${path}": ${why}`, { cause });
}

/** Checks the marker file of a data folder, and writes it into an empty folder. Throws for a folder with other files. */
function checkMark(path: string): void {
  const mark = join(path, markName);
  if (!existsSync(mark)) {
    // An empty folder may be the result of a crash before the marker was written.
    if (readdirSync(path).length > 0) throw refusal(path, "it holds other files; use an empty or a new folder");
    writeFileSync(mark, `${JSON.stringify({ format: "kubewright-data", version: formatVersion })}\n`);
    return;
  }
  let content: unknown;
  try {
    content = JSON.parse(readFileSync(mark, "utf8"));
  } catch (error) {
    // An empty marker is the result of a crash before anything else was written.
    if (readFileSync(mark, "utf8") === "" && readdirSync(path).length === 1) {
      rmSync(mark);
      checkMark(path);
      return;
    }
    throw refusal(path, `"${markName}" is damaged`, error);
  }
  const { format, version } = Object(content) as { format?: unknown; version?: unknown };
  if (format !== "kubewright-data") throw refusal(path, `"${markName}" does not belong to a cluster`);
  if (version !== formatVersion)
    throw refusal(path, `it has format ${String(version)}, but this version reads format ${formatVersion}`);
}
