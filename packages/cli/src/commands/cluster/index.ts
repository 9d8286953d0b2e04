/**
 * `kubewright cluster`. Each command is loaded lazily: `status` does not need the embedded cluster.
 *
 * @module
 */
import type { CommandLine } from "../command-line.js";
import { addBuildImageCommand } from "./build-image.js";
import { addDataCommands } from "./data.js";
import { addKubeconfigCommand } from "./kubeconfig.js";
import { addStartCommand } from "./start.js";
import { addStatusCommand } from "./status.js";
import { addStopCommand } from "./stop.js";

/** Adds `kubewright cluster` and its commands. */
export function addClusterCommands(line: CommandLine): void {
  const cluster = line.program
    .command("cluster")
    .description("Embedded Kubernetes clusters, for development and tests.");
  for (const add of [
    addStartCommand,
    addStopCommand,
    addStatusCommand,
    addKubeconfigCommand,
    addDataCommands,
    addBuildImageCommand,
  ])
    add(cluster, line);
}
