import type { CommandLine } from "./command-line.js";
import { targetCommand } from "./target-command.js";

/** Adds `kubewright undeploy`. */
export function addUndeployCommand(line: CommandLine): void {
  const { streams, finish } = line;
  targetCommand(line, "undeploy", "Delete what deploy applied, except CRDs: their objects would be deleted too.")
    .option("-n, --namespace <name>", "namespace of the operator (default: its name and -system)")
    .addHelpText("after", "\nExamples:\n  kubewright undeploy\n  kubewright undeploy -n shop && kubewright uninstall")
    .action(async (module, options) =>
      finish((await import("../deploy/index.js")).undeployCommand(module, options, streams)),
    );
}
