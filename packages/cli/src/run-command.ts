import { isOperatorError } from "@kubewright/core/errors";
import { Command, CommanderError, InvalidArgumentError } from "commander";
import { type ClusterStartOptions, startClusterCommand } from "./cluster-start.js";
import type { CommandStreams } from "./command-streams.js";

/**
 * Runs one command line (without program name) and gives its exit code.
 *
 * 0: done. 1: it could not be done, and the reason was written. 2: the command line is wrong.
 */
export async function runCommand(
  args: readonly string[],
  streams: CommandStreams = { out: process.stdout, err: process.stderr },
): Promise<number> {
  const program = new Command("kubewright")
    .description("Kubernetes operators in TypeScript: develop, test, run.")
    .version("0.1.0")
    .exitOverride()
    .configureOutput({ writeOut: (text) => streams.out.write(text), writeErr: (text) => streams.err.write(text) })
    .showHelpAfterError("(add --help for the options)");
  const cluster = program
    .command("cluster")
    .description("A Kubernetes cluster in this process, for development and tests.");
  cluster
    .command("start")
    .description("Start an embedded cluster and serve it to kubectl until Ctrl-C.")
    .option("--kubeconfig <file>", "where to write the kubeconfig", ".kubewright/kubeconfig")
    .option("--port <number>", "port on 127.0.0.1 (default: a free one)", parsePort)
    .option("-o, --output <format>", "text or json", "text")
    .addHelpText(
      "after",
      `
Examples:
  kubewright cluster start
  kubewright cluster start --port 6443 --kubeconfig dev.kubeconfig
  kubewright cluster start -o json        one line of JSON when it is ready

The cluster lives in memory: what was stored is gone when it stops.`,
    )
    .action(async (options: ClusterStartOptions) => startClusterCommand(options, streams));
  try {
    await program.parseAsync([...args], { from: "user" });
    return 0;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    if (!isOperatorError(error)) throw error;
    streams.err.write(`error: ${error.message}\n`);
    return 1;
  }
}

function parsePort(text: string): number {
  const port = Number(text);
  if (!Number.isInteger(port) || port < 0 || port > 65_535) {
    throw new InvalidArgumentError("It must be a number from 0 to 65535.");
  }
  return port;
}
