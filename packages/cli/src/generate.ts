import { basename, dirname } from "node:path";
import { generateManifests, installerFile, type WriteReport, writeManifests } from "@kubewright/codegen";
import { OperatorError } from "@kubewright/core/errors";
import { loadForGeneration } from "@kubewright/core/meta";
import { isResource } from "kubewright";
import type { CommandStreams } from "./command-streams.js";
import { type ExitCode, exitCodes } from "./exit-codes.js";
import { isOperator } from "./exported-operator.js";
import { loadExports } from "./load-exports.js";
import { isKind } from "./resources-of.js";

/** The options of `kubewright generate`. */
export interface GenerateOptions {
  readonly out: string;
  readonly check?: boolean;
  readonly namespace: string;
  readonly namespaced?: boolean;
  readonly leaderElection: boolean;
  readonly installCrds?: boolean;
  readonly migrateStored?: boolean;
  readonly maxDescriptionLength?: number | "fit";
  readonly certManager?: boolean;
  readonly webhookUrl?: string;
  readonly image?: string;
  readonly installer: string;
  readonly output: string;
}

/** Writes the manifests of every operator and resource that the modules export, or reports which are out of date. */
export async function generateCommand(
  modules: readonly string[],
  { out: folder, check = false, output, installCrds = false, installer, ...options }: GenerateOptions,
  { out, err }: CommandStreams,
): Promise<ExitCode> {
  const loaded = await loadForGeneration(() => Promise.all(modules.map(loadExports)));
  const exported = loaded.flatMap((names) => Object.values(names));
  const operators = [...new Set(exported.filter(isOperator))];
  const resources = exported.filter(isKind).filter(isResource);
  if (operators.length + resources.length === 0)
    throw new OperatorError(
      "CONFIG_INVALID",
      `Cannot generate manifests: ${modules.map((file) => `"${file}"`).join(", ")} exports neither an operator nor a resource`,
    );
  const files = generateManifests({ ...options, installCRDs: installCrds, operators, resources });
  const report = await writeManifests(folder, files, { check });
  const one = options.image === undefined ? undefined : { ...installerFile(files), path: basename(installer) };
  const installed = one && (await writeManifests(dirname(installer), [one], { check, prune: false }));
  for (const { path, remarks } of files)
    for (const remark of remarks) err.write(`note: ${folder}/${path}: ${remark}\n`);
  if (output === "json") {
    const drifted = installed && { installer: { file: installer, drifted: installed.drifted.length > 0 } };
    out.write(`${JSON.stringify({ folder, check, ...report, ...drifted })}\n`);
  } else {
    if (installed?.drifted.length) out.write(`${check ? "out of date" : "written"}: ${installer}\n`);
    out.write(summary(report, folder, check));
  }
  const drifted = report.drifted.length + report.stale.length + (installed?.drifted.length ?? 0);
  return check && drifted > 0 ? exitCodes.drifted : exitCodes.done;
}

function summary({ drifted, stale, unchanged }: WriteReport, folder: string, check: boolean): string {
  const lines = [
    ...drifted.map((path) => `${check ? "out of date" : "written"}: ${folder}/${path}`),
    ...stale.map((path) => `${check ? "no longer generated" : "removed"}: ${folder}/${path}`),
    `${unchanged.length} files are up to date`,
  ];
  return `${lines.join("\n")}\n`;
}
