import type { CommandLine } from "./command-line.js";
import { targetCommand } from "./target-command.js";

/** Adds `kubewright uninstall`. */
export function addUninstallCommand(line: CommandLine): void {
  const { streams, finish } = line;
  targetCommand(
    line,
    "uninstall",
    "Delete the CRDs of an operator from a cluster. Rejected while objects of them exist.",
  )
    .option("--force", "delete the CRDs although objects of them exist, and so those objects")
    .addHelpText("after", "\nExamples:\n  kubewright uninstall\n  kubewright uninstall --force --context staging")
    .action(async (module, options) =>
      finish((await import("../deploy/index.js")).uninstallCommand(module, options, streams)),
    );
}
