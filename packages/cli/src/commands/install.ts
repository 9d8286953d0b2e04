import type { CommandLine } from "./command-line.js";
import { targetCommand } from "./target-command.js";

/** Adds `kubewright install`. */
export function addInstallCommand(line: CommandLine): void {
  const { streams, finish } = line;
  targetCommand(line, "install", "Apply the CRDs of an operator to a cluster, and wait until they are served.")
    .addHelpText(
      "after",
      `
Examples:
  kubewright install
  kubewright install src/operator.ts --dry-run        show what would change, field by field

CRDs that the operator no longer has are kept: deleting one deletes its objects. Use uninstall for that.`,
    )
    .action(async (module, options) =>
      finish((await import("../deploy/index.js")).installCommand(module, options, streams)),
    );
}
