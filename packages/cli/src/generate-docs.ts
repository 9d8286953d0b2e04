import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { referencePage } from "@kubewright/codegen";
import { OperatorError } from "@kubewright/core/errors";
import { loadForGeneration } from "@kubewright/core/meta";
import type { CommandStreams } from "./command-streams.js";
import { type ExitCode, exitCodes } from "./exit-codes.js";
import { loadExports } from "./load-exports.js";
import { exportedResources } from "./resources-of.js";

/** The options of `kubewright generate docs`. */
export interface GenerateDocsOptions {
  readonly out?: string;
  readonly check?: boolean;
  readonly output?: string;
}

/** Prints or writes the reference of the resources that modules define, without those of other projects. */
export async function generateDocsCommand(
  modules: readonly string[],
  { out: file, check = false, output = "text" }: GenerateDocsOptions,
  { out }: CommandStreams,
): Promise<ExitCode> {
  const fail = (why: string): OperatorError =>
    new OperatorError("CONFIG_INVALID", `Cannot generate the reference: ${why}`);
  if (check && file === undefined) throw fail("--check compares with a file; name it with --out");
  const loaded = await loadForGeneration(() => Promise.all(modules.map(loadExports)));
  const found = exportedResources(loaded.flatMap((names) => Object.values(names)));
  const resources = found.filter(({ definition }) => !definition.external);
  if (resources.length === 0)
    throw fail(`${modules.map((one) => `"${one}"`).join(", ")} exports neither an operator nor a resource of its own`);
  const page = referencePage(resources);
  if (file === undefined) {
    out.write(output === "json" ? `${JSON.stringify({ page })}\n` : page);
    return exitCodes.done;
  }
  const before = await readFile(file, "utf8").catch(() => undefined);
  const isCurrent = before?.replaceAll("\r\n", "\n") === page;
  if (!isCurrent && !check) {
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, page);
  }
  const result = isCurrent ? "up to date" : check ? "out of date" : "written";
  out.write(output === "json" ? `${JSON.stringify({ file, result })}\n` : `${result}: ${file}\n`);
  return check && !isCurrent ? exitCodes.drifted : exitCodes.done;
}
