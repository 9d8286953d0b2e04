import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { CommandStreams } from "./command-streams.js";
import { type ExitCode, exitCodes } from "./exit-codes.js";
import { findUp } from "./find-up.js";
import { cliVersion } from "./version.js";

/** Packages of a project whose versions matter to it. */
const packages = ["kubewright", "@kubewright/testing", "zod", "typescript"] as const;

/** Prints the versions that a bug report needs. */
export async function versionCommand(
  { output }: { readonly output: string },
  { out }: CommandStreams,
): Promise<ExitCode> {
  const project: Record<string, string> = {};
  for (const name of packages) {
    const version = await installedVersion(name);
    if (version !== undefined) project[name] = version;
  }
  const versions = { kubewright: cliVersion, node: process.versions.node, platform: process.platform, project };
  if (output === "json") {
    out.write(`${JSON.stringify(versions)}\n`);
    return exitCodes.done;
  }
  const lines = [
    `kubewright ${cliVersion}, Node ${process.versions.node}, ${process.platform} ${process.arch}`,
    ...Object.entries(project).map(([name, version]) => `  ${name} ${version} in this project`),
  ];
  out.write(`${lines.join("\n")}\n`);
  return exitCodes.done;
}

/** The version of a package that the current directory resolves to. */
async function installedVersion(name: string): Promise<string | undefined> {
  const file = findUp(join("node_modules", name, "package.json"), process.cwd());
  if (file === undefined) return undefined;
  const manifest = JSON.parse(await readFile(file, "utf8")) as { readonly version?: string };
  return manifest.version;
}
