import { type CommandLine, outputOption } from "./command-line.js";
import { parseNodes, parsePort } from "./number-options.js";

/** Adds `kubewright dev`. */
export function addDevCommand({ program, streams, finish }: CommandLine): void {
  program
    .command("dev")
    .description("Run an operator on an embedded cluster, reload it when a file changes, and show its runs.")
    .argument("[module]", "TypeScript or JavaScript file that exports the operator", "src/operator.ts")
    .option("--context <name>", "use a context of your kubeconfig instead of an embedded cluster")
    .option("--kubeconfig <file>", "kubeconfig file of --context (default: as kubectl)")
    .option("--port <number>", "port of the embedded cluster on 127.0.0.1 (default: a free one)", parsePort)
    .option("--data-dir <dir>", "store the objects of the embedded cluster in a directory (default: in memory)")
    .option("--nodes <number>", "number of simulated nodes (default: 1)", parseNodes)
    .option("--no-type-check", "do not show type errors")
    .addOption(outputOption())
    .addHelpText(
      "after",
      `
Examples:
  kubewright dev
  kubewright dev src/operator.ts --nodes 3
  kubewright dev --context staging
  kubewright dev -o json                             one line of JSON for each run, for other programs

Installs the CRDs and, on the embedded cluster, the webhooks. A saved change replaces the controllers: caches stay synced, and every object is
reconciled by the new code. A file that does not compile keeps the last good version; type errors are shown and do not stop it.

Keys: f filter, p pause, k copy the kubeconfig line, r reload, q quit.`,
    )
    .action(async (module, options) => finish((await import("../dev/index.js")).devCommand(module, options, streams)));
}
