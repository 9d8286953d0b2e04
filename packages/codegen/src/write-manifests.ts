import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join, relative, sep } from "node:path";
import { OperatorError } from "@kubewright/core/errors";
import { type GeneratedFile, generatedMark } from "./generated-file.js";

/** How files are written. */
export interface WriteOptions {
  /** Writes nothing, and only tells what would change. @default false */
  readonly check?: boolean;
}

/** What was written, or would have been, by paths below the folder. */
export interface WriteReport {
  /** New or changed, and written unless it was a check. */
  readonly drifted: readonly string[];
  /** Generated earlier and no longer, and removed unless it was a check. */
  readonly stale: readonly string[];
  readonly unchanged: readonly string[];
}

/**
 * Brings a folder up to date: writes what is new or changed, and removes what was generated earlier and no longer is. Files that were not
 * generated are not touched; one in the way of a generated file is an error (CONFIG_INVALID), and then nothing is written.
 */
export async function writeManifests(
  folder: string,
  files: readonly GeneratedFile[],
  { check = false }: WriteOptions = {},
): Promise<WriteReport> {
  const there = await generatedIn(folder);
  const drifted: GeneratedFile[] = [];
  const unchanged: string[] = [];
  for (const file of files) {
    const text = await textOf(join(folder, file.path));
    if (text === file.text) unchanged.push(file.path);
    else if (text === undefined || text.startsWith(generatedMark)) drifted.push(file);
    else
      throw new OperatorError(
        "CONFIG_INVALID",
        `Cannot write "${file.path}": there is a file of this name that was not generated; move it away`,
      );
  }
  const wanted = new Set(files.map(({ path }) => path));
  const stale = there.filter((path) => !wanted.has(path));
  if (!check) {
    for (const { path, text } of drifted) {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await writeFile(join(folder, path), text);
    }
    for (const path of stale) await rm(join(folder, path));
  }
  return { drifted: drifted.map(({ path }) => path), stale, unchanged };
}

async function generatedIn(folder: string): Promise<string[]> {
  const names = await readdir(folder, { recursive: true }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return [];
    throw error;
  });
  const found: string[] = [];
  for (const name of names.filter((one) => one.endsWith(".yaml")).sort()) {
    const text = await textOf(join(folder, name));
    if (text?.startsWith(generatedMark)) found.push(relative(".", name).split(sep).join("/"));
  }
  return found;
}

async function textOf(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    const why = error instanceof Error ? error.message : String(error);
    throw new OperatorError("CONFIG_INVALID", `Cannot read "${file}": ${why}`, { cause: error });
  }
}
