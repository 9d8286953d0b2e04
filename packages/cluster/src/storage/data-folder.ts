import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { OperatorError } from "@kubewright/core/errors";
import { FolderLock } from "./folder-lock.js";

const markName = "kubewright-data.json";
const formatVersion = 1;

/** A folder in which one cluster keeps its objects; held by one process at a time. */
export class DataFolder {
  readonly path: string;
  readonly #lock: FolderLock;

  /**
   * Takes a folder; makes it when it is not there.
   *
   * Throws CLUSTER_START_FAILED when another process has it, when it holds something else, or when a newer version wrote it.
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

  /** Where the database lies. */
  get database(): string {
    return join(this.path, "objects");
  }

  /** The content of a small file of its own; undefined when it is not there. */
  readText(name: string): string | undefined {
    const file = join(this.path, name);
    return existsSync(file) ? readFileSync(file, "utf8") : undefined;
  }

  /** Writes such a file, for this user's eyes only. */
  writeText(name: string, text: string): void {
    writeFileSync(join(this.path, name), text, { mode: 0o600 });
  }

  /** Lets others have it. */
  close(): void {
    this.#lock.release();
  }
}

/** Makes a folder and those that it lies in. Node's own way never ends where the system lets none be made, as below `/proc`. */
function makeFolder(path: string): void {
  if (existsSync(path)) return;
  makeFolder(dirname(path));
  mkdirSync(path, { mode: 0o700 });
}

/** The error of a folder that cannot be used. */
export function refusal(path: string, why: string, cause?: unknown): OperatorError {
  return new OperatorError("CLUSTER_START_FAILED", `Cannot use data folder "${path}": ${why}`, { cause });
}

/** A folder of ours carries a mark; an empty one gets it; any other is somebody else's. */
function checkMark(path: string): void {
  const mark = join(path, markName);
  if (!existsSync(mark)) {
    // A crash may have come between the folder and its mark.
    if (readdirSync(path).length > 0)
      throw refusal(path, "it holds files of something else; name an empty or a new folder");
    writeFileSync(mark, `${JSON.stringify({ format: "kubewright-data", version: formatVersion })}\n`);
    return;
  }
  let content: unknown;
  try {
    content = JSON.parse(readFileSync(mark, "utf8"));
  } catch (error) {
    // An empty mark is one whose writing was cut off, before anything else was written.
    if (readFileSync(mark, "utf8") === "" && readdirSync(path).length === 1) {
      rmSync(mark);
      checkMark(path);
      return;
    }
    throw refusal(path, `"${markName}" is damaged`, error);
  }
  const { format, version } = Object(content) as { format?: unknown; version?: unknown };
  if (format !== "kubewright-data") throw refusal(path, `"${markName}" is not of a cluster`);
  if (version !== formatVersion)
    throw refusal(path, `it has format ${String(version)}, and this version reads ${formatVersion}`);
}
