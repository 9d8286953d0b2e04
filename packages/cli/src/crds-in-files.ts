import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { OperatorError } from "@kubewright/core/errors";
import { isJsonObject, type JsonObject } from "@kubewright/core/json";
import { parseAllDocuments } from "yaml";

/** Larger than any CRD that an API server accepts. */
const maxBytes = 16 * 1024 * 1024;
const maxFiles = 10_000;

/**
 * Every CustomResourceDefinition in these files, and recursively in the YAML and JSON files of these directories. Other objects are ignored;
 * in directories also files without the string "CustomResourceDefinition".
 */
export async function crdsInFiles(paths: readonly string[]): Promise<JsonObject[]> {
  const found: JsonObject[] = [];
  for (const path of paths) {
    const isFolder = (await stat(path).catch(() => undefined))?.isDirectory() === true;
    for (const file of isFolder ? await filesIn(path) : [path]) {
      const text = await textOf(file);
      // A directory of manifests may contain templates, which are not YAML.
      if (!isFolder || text.includes("CustomResourceDefinition")) found.push(...crdsIn(text, file));
    }
  }
  return found;
}

async function filesIn(folder: string): Promise<string[]> {
  const names = (await readdir(folder, { recursive: true })).filter((name) => /\.(ya?ml|json)$/.test(name)).sort();
  if (names.length > maxFiles) throw failure(folder, `it contains more than ${maxFiles} files`);
  return names.map((name) => join(folder, name));
}

async function textOf(file: string): Promise<string> {
  const text = await readFile(file, "utf8").catch((cause: NodeJS.ErrnoException) => {
    throw failure(file, cause.code === "ENOENT" ? "no such file or directory" : cause.message, cause);
  });
  if (text.length > maxBytes) throw failure(file, `it is larger than ${maxBytes} bytes`);
  return text;
}

function crdsIn(text: string, file: string): JsonObject[] {
  return parseAllDocuments(text).flatMap((document) => {
    const [problem] = document.errors;
    if (problem) throw failure(file, problem.message, problem);
    const value: unknown = document.toJS({ maxAliasCount: 100 });
    const items =
      isJsonObject(value) && Array.isArray(value["items"]) ? (value["items"] as readonly unknown[]) : [value];
    return items.filter(isJsonObject).filter(({ kind }) => kind === "CustomResourceDefinition");
  });
}

function failure(file: string, why: string, cause?: unknown): OperatorError {
  return new OperatorError("CONFIG_INVALID", `Cannot read "${file}": ${why}`, { cause });
}
