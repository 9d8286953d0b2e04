import { readdir, readFile, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import { OperatorError } from "@kubewright/core/errors";
import { isJsonObject, type JsonObject } from "@kubewright/core/json";
import { parseAllDocuments } from "yaml";

/** An object of a YAML file. */
export interface Manifest {
  readonly object: JsonObject;
  /** File and document, for messages: `"config/samples/a.yaml", document 2`. */
  readonly source: string;
}

/**
 * The objects of YAML and JSON files, and of such files in folders, recursively and by name. Items of a List count as objects.
 *
 * Skips empty documents and kustomization files. Rejects with CONFIG_INVALID, file and document where something is no Kubernetes object.
 */
export async function readManifests(paths: readonly string[]): Promise<Manifest[]> {
  const manifests: Manifest[] = [];
  for (const path of paths) for (const file of await filesAt(path)) manifests.push(...(await objectsIn(file)));
  return manifests;
}

async function filesAt(path: string): Promise<string[]> {
  const found = await stat(path).catch((cause: Error) => {
    throw invalid(`"${path}"`, `it is not readable from "${process.cwd()}": ${cause.message}`, cause);
  });
  if (!found.isDirectory()) return [path];
  const names = (await readdir(path, { recursive: true })).filter((name) => /\.(ya?ml|json)$/.test(name)).sort();
  const files = names.filter((name) => !/^kustomization\.ya?ml$/.test(basename(name))).map((name) => join(path, name));
  if (files.length === 0) throw invalid(`"${path}"`, "the folder contains no YAML or JSON file");
  return files;
}

async function objectsIn(file: string): Promise<Manifest[]> {
  const documents = parseAllDocuments(await readFile(file, "utf8"));
  if (!Array.isArray(documents)) return [];
  return documents.flatMap((document, index) => {
    const source = documents.length === 1 ? `"${file}"` : `"${file}", document ${index + 1}`;
    const [problem] = document.errors;
    if (problem) throw invalid(source, problem.message, problem);
    const value: unknown = document.toJS({ maxAliasCount: 100 });
    if (value === null || value === undefined) return [];
    const items = isJsonObject(value) && value["kind"] === "List" ? value["items"] : undefined;
    return (Array.isArray(items) ? items : [value]).map((object: unknown) => {
      if (!isJsonObject(object)) throw invalid(source, "it is no object");
      for (const field of ["apiVersion", "kind"])
        if (typeof object[field] !== "string") throw invalid(source, `it has no "${field}"`);
      return { object, source };
    });
  });
}

function invalid(source: string, why: string, cause?: unknown): OperatorError {
  return new OperatorError("CONFIG_INVALID", `Cannot read manifest ${source}: ${why}`, { cause });
}
