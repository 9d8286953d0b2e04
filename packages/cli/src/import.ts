import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { importDefinition } from "@kubewright/codegen";
import { OperatorError } from "@kubewright/core/errors";
import { isJsonObject, type JsonObject } from "@kubewright/core/json";
import { parseAllDocuments } from "yaml";
import type { CommandStreams } from "./command-streams.js";
import { type ExitCode, exitCodes } from "./exit-codes.js";

/** The options of `kubewright import`. */
export interface ImportOptions {
  readonly out?: string;
  readonly force?: boolean;
}

/** More than any definition that a server takes. */
const maxBytes = 16 * 1024 * 1024;

/** Prints, or writes to one file each, TypeScript for every definition in the files. Nothing is written when one of them cannot be imported. */
export async function importCommand(
  files: readonly string[],
  { out: folder, force = false }: ImportOptions,
  { out }: CommandStreams,
): Promise<ExitCode> {
  const found = (await Promise.all(files.map(definitionsIn))).flat();
  if (found.length === 0)
    throw new OperatorError(
      "CONFIG_INVALID",
      `Cannot import ${files.join(", ")}: there is no CustomResourceDefinition`,
    );
  const modules = found.map((definition) => ({ name: fileNameOf(definition), text: importDefinition(definition) }));
  if (folder === undefined) {
    out.write(modules.map(({ text }) => text).join("\n"));
    return exitCodes.done;
  }
  await mkdir(folder, { recursive: true });
  for (const { name, text } of modules) {
    const file = join(folder, name);
    await writeFile(file, text, { flag: force ? "w" : "wx" }).catch((cause: NodeJS.ErrnoException) => {
      const why = cause.code === "EEXIST" ? "it is there already; --force replaces it" : cause.message;
      throw new OperatorError("CONFIG_INVALID", `Cannot write "${file}": ${why}`, { cause });
    });
    out.write(`written: ${file}\n`);
  }
  return exitCodes.done;
}

async function definitionsIn(file: string): Promise<JsonObject[]> {
  const fail = (why: string, cause?: unknown): OperatorError =>
    new OperatorError("CONFIG_INVALID", `Cannot read "${file}": ${why}`, { cause });
  const text = await readFile(file, "utf8").catch((cause: Error) => {
    throw fail(cause.message, cause);
  });
  if (text.length > maxBytes) throw fail(`it is larger than ${maxBytes} bytes`);
  return parseAllDocuments(text).flatMap((document) => {
    const [problem] = document.errors;
    if (problem) throw fail(problem.message, problem);
    const value: unknown = document.toJS({ maxAliasCount: 100 });
    const items =
      isJsonObject(value) && Array.isArray(value["items"]) ? (value["items"] as readonly unknown[]) : [value];
    return items.filter(isJsonObject).filter(({ kind }) => kind === "CustomResourceDefinition");
  });
}

/** `CertificateRequest` to `certificate-request.ts`. */
function fileNameOf(definition: JsonObject): string {
  const { spec } = definition;
  const names = isJsonObject(spec) ? spec["names"] : undefined;
  const kind = isJsonObject(names ?? null) ? (names as JsonObject)["kind"] : undefined;
  const words = String(kind ?? "definition").replace(/([a-z0-9])([A-Z])/g, "$1-$2");
  return `${words.toLowerCase().replace(/[^a-z0-9-]/g, "")}.ts`;
}
