import type { Command } from "commander";
import { type CommandLine, outputOption } from "./command-line.js";

/** A command that brings an operator's objects into a cluster, or removes them: its module, its target, and a dry run. */
export function targetCommand({ program }: CommandLine, name: string, description: string): Command {
  return program
    .command(name)
    .description(description)
    .argument("[module]", "TypeScript or JavaScript file that exports the operator", "src/operator.ts")
    .option("--context <name>", "context of the kubeconfig (default: the current one)")
    .option("--kubeconfig <file>", "kubeconfig file (default: as kubectl)")
    .option("--dry-run", "change nothing: show what a server-side dry run would change")
    .addOption(outputOption());
}
