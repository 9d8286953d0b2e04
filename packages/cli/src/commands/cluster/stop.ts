import type { Command } from "commander";
import { type CommandLine, outputOption } from "../command-line.js";
import { clusterNameOption } from "./cluster-name-option.js";

/** Adds `kubewright cluster stop`. */
export function addStopCommand(cluster: Command, { streams, finish }: CommandLine): void {
  cluster
    .command("stop")
    .description(
      "Stop a cluster that runs in the background or in another terminal. Exits with 3 when it is not running.",
    )
    .addOption(clusterNameOption())
    .option("--all", "stop all your clusters")
    .addOption(outputOption())
    .addHelpText(
      "after",
      "\nExamples:\n  kubewright cluster stop\n  kubewright cluster stop --name other\n  kubewright cluster stop --all",
    )
    .action(async (options) => finish((await import("../../cluster-stop.js")).stopClusterCommand(options, streams)));
}
