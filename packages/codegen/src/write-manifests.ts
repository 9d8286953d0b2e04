import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join, relative, sep } from "node:path";
import { OperatorError } from "@kubewright/core/errors";
import { type GeneratedFile, generatedHeader } from "./generated-file.js";

/** How manifests are written. */
export interface WriteOptions {
  /** Reports what would change and writes nothing. @default false */
  readonly check?: boolean;
  /** Removes manifests that are no longer generated. @default true */
  readonly prune?: boolean;
}

/** What was written, or would be, as paths relative to the directory. */
export interface WriteReport {
  /** New or changed; written unless `check`. */
  readonly drifted: readonly string[];
  /** Generated earlier and no longer; removed unless `check`. */
  readonly stale: readonly string[];
  readonly unchanged: readonly string[];
}

/**
 * Writes new and changed manifests to a directory, and removes those that are no longer generated. Files that were not generated are not
 * touched. Line ends do not count as a change, so that a checkout with CRLF is up to date.
 *
 * Rejects with CONFIG_INVALID, without a change, when a file that was not generated has the name of a manifest.
 */
export async function writeManifests(
  folder: string,
  files: readonly GeneratedFile[],
  { check = false, prune = true }: WriteOptions = {},
): Promise<WriteReport> {
  const drifted: GeneratedFile[] = [];
  const unchanged: string[] = [];
  for (const file of files) {
    const text = (await textOf(join(folder, file.path)))?.replaceAll("\r\n", "\n");
    if (text === file.text) unchanged.push(file.path);
    else if (text === undefined || text.startsWith(generatedHeader)) drifted.push(file);
    else
      throw new OperatorError(
        "CONFIG_INVALID",
        `Cannot write "${file.path}": a file of that name exists and was not generated; move it`,
      );
  }
  const desired = new Set(files.map(({ path }) => path));
  const stale = prune ? (await generatedIn(folder)).filter((path) => !desired.has(path)) : [];
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
    if (text?.startsWith(generatedHeader)) found.push(relative(".", name).split(sep).join("/"));
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
