import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { OperatorError } from "@kubewright/core/errors";

/** A file of a scaffold. */
export interface ScaffoldFile {
  /** Relative to the project, with slashes. */
  readonly path: string;
  readonly text: string;
  /** The file exists and was read to make `text`, so it is replaced. @default false */
  readonly isUpdate?: boolean;
}

/** How files are written. */
export interface ScaffoldOptions {
  /** Writes nothing. */
  readonly dryRun: boolean;
  /** Replaces files that have another content. */
  readonly force: boolean;
}

/** What happened, or would happen, to each file. */
export interface ScaffoldReport {
  readonly created: readonly string[];
  readonly updated: readonly string[];
  readonly unchanged: readonly string[];
}

/**
 * Writes the files of a scaffold. Files with the same content are left alone.
 *
 * Rejects with CONFIG_INVALID, without a change, when a file exists with another content, unless `force`.
 */
export async function writeScaffold(
  folder: string,
  files: readonly ScaffoldFile[],
  { dryRun, force }: ScaffoldOptions,
): Promise<ScaffoldReport> {
  const report = { created: [] as string[], updated: [] as string[], unchanged: [] as string[] };
  const clashes: string[] = [];
  for (const { path, text, isUpdate = false } of files) {
    const before = await readFile(join(folder, path), "utf8").catch(() => undefined);
    if (before === undefined) report.created.push(path);
    else if (before.replaceAll("\r\n", "\n") === text) report.unchanged.push(path);
    else if (isUpdate || force) report.updated.push(path);
    else clashes.push(path);
  }
  if (clashes.length > 0)
    throw new OperatorError(
      "CONFIG_INVALID",
      `Cannot write ${clashes.map((path) => `"${path}"`).join(", ")} in "${folder}": the file exists with another content; move it, or use --force to replace it`,
    );
  const isChanged = new Set([...report.created, ...report.updated]);
  if (!dryRun)
    for (const { path, text } of files) {
      if (!isChanged.has(path)) continue;
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await writeFile(join(folder, path), text);
    }
  return report;
}
