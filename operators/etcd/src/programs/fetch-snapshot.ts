import { rm } from "node:fs/promises";
import { basename, dirname } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { folderStorage } from "../backup/folder-storage.js";
import { verifiedSnapshot } from "../backup/snapshot-file.js";
import { findSnapshot } from "../backup/snapshot-names.js";
import { StorageError } from "../backup/snapshot-storage.js";
import type { ProgramContext } from "./program.js";

const timeoutMs = 3_600_000;
const pauseMs = 2_000;

/**
 * `fetch-snapshot FROM FILE FOLDER`: stores a snapshot as FILE. FROM is a URL of the operator's restore server, or a file in a mounted volume; of a
 * periodic backup its path, and then the newest snapshot is taken. FOLDER is what an interrupted restore has left, and is deleted.
 */
export async function fetchSnapshot(
  [from = "", file = "", folder = ""]: readonly string[],
  { environment, signal: parent }: ProgramContext,
): Promise<string> {
  if (from === "" || file === "" || folder === "") throw new Error("Usage: fetch-snapshot FROM FILE FOLDER");
  await rm(folder, { recursive: true, force: true });
  const signal = AbortSignal.any([parent, AbortSignal.timeout(timeoutMs)]);
  for (;;) {
    try {
      const name = await fetchOnce({ from, file, signal, token: environment["SNAPSHOT_TOKEN"] });
      return `Fetched ${name}`;
    } catch (error) {
      if (signal.aborted || !(error instanceof StorageError) || error.reason !== "unavailable") throw error;
      process.stdout.write(`${error.message}: trying again\n`);
      await sleep(pauseMs, undefined, { signal });
    }
  }
}

interface Fetch {
  readonly from: string;
  readonly file: string;
  readonly token: string | undefined;
  readonly signal: AbortSignal;
}

/** The file appears only when it is complete and verified. */
async function fetchOnce({ from, file, token, signal }: Fetch): Promise<string> {
  const target = folderStorage(dirname(file));
  if (!URL.canParse(from)) {
    const source = folderStorage(dirname(from));
    const name = findSnapshot(basename(from), await source.list(basename(from), signal));
    if (name === undefined) throw new StorageError("notFound", `There is no snapshot ${from}`);
    await target.save(basename(file), verifiedSnapshot(source.read(name, signal)), signal);
    return name;
  }
  await target.save(basename(file), verifiedSnapshot(download(from, token, signal)), signal);
  return from;
}

async function* download(url: string, token: string | undefined, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
  try {
    const response = await fetch(url, { headers, redirect: "error", signal });
    if (!response.ok) {
      const why = (await response.text()).slice(0, 500);
      const mayPass = response.status >= 500 || response.status === 429;
      throw new StorageError(mayPass ? "unavailable" : "other", `GET ${url}: HTTP ${response.status}: ${why}`);
    }
    yield* response.body ?? [];
  } catch (cause) {
    signal.throwIfAborted();
    if (cause instanceof StorageError) throw cause;
    throw new StorageError("unavailable", `Cannot read ${url}: ${String(cause)}`, { cause });
  }
}
