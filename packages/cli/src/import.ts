import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { importCRD } from "@kubewright/codegen";
import { OperatorError } from "@kubewright/core/errors";
import { isJsonObject, type JsonObject } from "@kubewright/core/json";
import type { CommandStreams } from "./command-streams.js";
import { crdsInCluster } from "./crds-in-cluster.js";
import { crdsInFiles } from "./crds-in-files.js";
import { type ExitCode, exitCodes } from "./exit-codes.js";

/** The options of `kubewright import`. */
export interface ImportOptions {
  readonly out?: string;
  readonly force?: boolean;
  /** Names of CRDs, or `true` for all. */
  readonly fromCluster?: readonly string[] | true;
  readonly kubeconfig?: string;
  readonly context?: string;
  readonly output?: string;
}

/**
 * Prints TypeScript for every CRD in files, directories or a cluster, or writes it to one file per CRD. Writes nothing when one of them cannot be
 * imported.
 */
export async function importCommand(
  paths: readonly string[],
  options: ImportOptions,
  { out }: CommandStreams,
): Promise<ExitCode> {
  const { out: folder, force = false, fromCluster, output = "text" } = options;
  if (paths.length === 0 && fromCluster === undefined)
    throw new OperatorError("CONFIG_INVALID", "Cannot import CRDs: name files or directories, or use --from-cluster");
  const found = [
    ...(await crdsInFiles(paths)),
    ...(fromCluster === undefined ? [] : await crdsInCluster(fromCluster === true ? undefined : fromCluster, options)),
  ];
  if (found.length === 0)
    throw new OperatorError(
      "CONFIG_INVALID",
      `Cannot import ${paths.join(", ") || "from the cluster"}: no CustomResourceDefinition found`,
    );
  const names = fileNames(found);
  const modules = found.map((definition, index) => ({ name: names[index] ?? "", text: importCRD(definition) }));
  if (folder === undefined) {
    if (output === "json") out.write(`${JSON.stringify({ modules })}\n`);
    else out.write(modules.map(({ text }) => text).join("\n"));
    return exitCodes.done;
  }
  await mkdir(folder, { recursive: true });
  for (const { name, text } of modules) {
    const file = join(folder, name);
    await writeFile(file, text, { flag: force ? "w" : "wx" }).catch((cause: NodeJS.ErrnoException) => {
      const why = cause.code === "EEXIST" ? "it already exists; use --force to replace it" : cause.message;
      throw new OperatorError("CONFIG_INVALID", `Cannot write "${file}": ${why}`, { cause });
    });
    if (output === "text") out.write(`written: ${file}\n`);
  }
  if (output === "json") out.write(`${JSON.stringify({ folder, written: modules.map(({ name }) => name) })}\n`);
  return exitCodes.done;
}

/** `CertificateRequest` becomes `certificate-request.ts`; with the group when several groups have a kind of that name. */
function fileNames(definitions: readonly JsonObject[]): string[] {
  const identities = definitions.map((definition) => {
    const spec = isJsonObject(definition["spec"]) ? definition["spec"] : {};
    const names = isJsonObject(spec["names"]) ? spec["names"] : {};
    const name = String(names["kind"] ?? "definition").replace(/([a-z0-9])([A-Z])/g, "$1-$2");
    return { kind: plain(name), group: plain(String(spec["group"] ?? "").replaceAll(".", "-")) };
  });
  return identities.map(({ kind, group }) => {
    const isShared = identities.some((other) => other.kind === kind && other.group !== group);
    return isShared ? `${kind}.${group}.ts` : `${kind}.ts`;
  });
}

function plain(text: string): string {
  return text.toLowerCase().replace(/[^a-z0-9-]/g, "");
}
