import type { Command } from "commander";
import { type CommandLine, outputOption } from "../command-line.js";

/** Adds `kubewright cluster status`. */
export function addStatusCommand(cluster: Command, { streams, finish }: CommandLine): void {
  cluster
    .command("status")
    .description("Show your clusters. Exits with 3 when none is running, with 1 when none responds.")
    .option("--name <name>", "name of the cluster (default: all)")
    .addOption(outputOption())
    .addHelpText("after", "\nExamples:\n  kubewright cluster status\n  kubewright cluster status --name other -o json")
    .action(async (options) =>
      finish((await import("../../cluster-status.js")).clusterStatusCommand(options, streams)),
    );
}
