import { isOperatorError } from "@kubewright/core/errors";
import { Command, CommanderError, InvalidArgumentError, Option } from "commander";
import type { CommandStreams } from "./command-streams.js";
import { type ExitCode, exitCodes } from "./exit-codes.js";

/**
 * Runs one command line (without program name) and gives its exit code.
 *
 * 0: done. 1: it could not be done, and the reason was written. 2: the command line is wrong. 3: no such cluster is running.
 * 4: generated files are out of date.
 */
export async function runCommand(
  args: readonly string[],
  streams: CommandStreams = { out: process.stdout, err: process.stderr },
): Promise<number> {
  let code: ExitCode = exitCodes.done;
  const finish = async (running: Promise<ExitCode>): Promise<void> => {
    code = await running;
  };
  const program = new Command("kubewright")
    .description("Kubernetes operators in TypeScript: develop, test, run.")
    .version("0.1.0")
    .exitOverride()
    .configureOutput({ writeOut: (text) => streams.out.write(text), writeErr: (text) => streams.err.write(text) })
    .showHelpAfterError("(add --help for the options)");
  addClusterCommands(program, streams, finish);
  addGenerateCommand(program, streams, finish);
  addImportCommand(program, streams, finish);
  try {
    await program.parseAsync([...args], { from: "user" });
    return code;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.done : exitCodes.wrongUsage;
    if (!isOperatorError(error)) throw error;
    streams.err.write(`error: ${error.message}\n`);
    return exitCodes.failed;
  }
}

/** Each command is loaded when it is run: the embedded cluster is not needed to ask for a status. */
function addClusterCommands(
  program: Command,
  streams: CommandStreams,
  finish: (running: Promise<ExitCode>) => Promise<void>,
): void {
  const cluster = program.command("cluster").description("Embedded Kubernetes clusters, for development and tests.");
  const name = (): Option => new Option("--name <name>", "which cluster").default("default");
  const output = (): Option =>
    new Option("-o, --output <format>", "text or json").default("text").choices(["text", "json"]);
  cluster
    .command("start")
    .description("Start an embedded cluster and serve it to kubectl until Ctrl-C.")
    .addOption(name())
    .option("--port <number>", "port on 127.0.0.1 (default: a free one)", parsePort)
    .option("--data-dir <folder>", "keep the objects in a folder (default: in memory)")
    .option("--nodes <number>", "how many simulated nodes pods run on (default: 1)", parseNodes)
    .option("--no-workloads", "keep objects only: no controllers, scheduler and nodes")
    .addOption(
      new Option(
        "--unevaluated-rules <mode>",
        "reject definitions and policies with CEL rules, or accept them with a warning",
      )
        .default("reject")
        .choices(["reject", "warn"]),
    )
    .option("--detach", "run in the background, and return when it is ready")
    .option("--kubeconfig <file>", 'where to write the kubeconfig (default: ".kubewright/kubeconfig")')
    .option("--merge-kubeconfig", "add a context to your own kubeconfig instead")
    .option("--set-context", "with --merge-kubeconfig: make it the current context")
    .addOption(output())
    .addHelpText(
      "after",
      `
Examples:
  kubewright cluster start
  kubewright cluster start --port 6443 --kubeconfig dev.kubeconfig
  kubewright cluster start --data-dir dev-data       what is stored outlives the process
  kubewright cluster start --nodes 3                 pods are spread over three simulated nodes
  kubewright cluster start --unevaluated-rules=warn  accept published CRDs whose CEL rules are not evaluated
  kubewright cluster start --detach --merge-kubeconfig
  kubewright cluster start -o json                   one line of JSON when it is ready

Deployments and the like become pods, which are scheduled and become ready on simulated nodes; no container runs.
Without --data-dir what was stored is gone when it stops. At the end the kubeconfig, or the context, is taken away.`,
    )
    .action(async (options) => finish((await import("./cluster-start.js")).startClusterCommand(options, streams)));
  cluster
    .command("stop")
    .description("Stop a cluster that runs in the background or in another terminal.")
    .addOption(name())
    .option("--all", "stop every cluster of yours")
    .addHelpText(
      "after",
      "\nExamples:\n  kubewright cluster stop\n  kubewright cluster stop --name other\n  kubewright cluster stop --all",
    )
    .action(async (options) => finish((await import("./cluster-stop.js")).stopClusterCommand(options, streams)));
  cluster
    .command("status")
    .description("Show which clusters of yours run. Ends with 3 when none does.")
    .option("--name <name>", "which cluster (default: all)")
    .addOption(output())
    .addHelpText("after", "\nExamples:\n  kubewright cluster status\n  kubewright cluster status --name other -o json")
    .action(async (options) => finish((await import("./cluster-status.js")).clusterStatusCommand(options, streams)));
  cluster
    .command("kubeconfig")
    .description("Print the kubeconfig of a running cluster, or add it to your own.")
    .addOption(name())
    .option("--merge", "add a context to your own kubeconfig instead of printing")
    .option("--set-context", "with --merge: make it the current context")
    .addHelpText(
      "after",
      "\nExamples:\n  kubewright cluster kubeconfig > dev.kubeconfig\n  kubewright cluster kubeconfig --merge\n  kubectl --context kubewright-default get namespaces",
    )
    .action(async (options) =>
      finish((await import("./cluster-kubeconfig.js")).clusterKubeconfigCommand(options, streams)),
    );
}

function addGenerateCommand(
  program: Command,
  streams: CommandStreams,
  finish: (running: Promise<ExitCode>) => Promise<void>,
): void {
  program
    .command("generate")
    .description("Write the manifests of an operator: definitions, roles, webhooks, samples.")
    .argument("<module...>", "TypeScript or JavaScript files that export operators or resources")
    .option("--out <folder>", "where the files go", "config")
    .option("--check", "write nothing, and end with 4 when a file is out of date, for CI")
    .option("--namespace <name>", "where the operator runs", "default")
    .option("--namespaced", "it sees its own namespace alone: a Role instead of a ClusterRole")
    .option("--no-leader-election", "no role for the lease")
    .option("--install-crds", "the permission to install its CRDs when it starts")
    .option("--migrate-stored", "the permission to migrate stored objects to another version")
    .option("--cert-manager", "cert-manager makes the certificates of webhooks")
    .option("--webhook-url <url>", "where webhooks are served outside of the cluster (default: by a Service)")
    .option(
      "--max-description-length <number>",
      "cut descriptions of fields; 0 leaves them out, fit cuts where kubectl apply needs it",
      parseLength,
    )
    .addOption(new Option("-o, --output <format>", "text or json").default("text").choices(["text", "json"]))
    .addHelpText(
      "after",
      `
Examples:
  kubewright generate src/operator.ts
  kubewright generate src/operator.ts --out deploy --namespace shop
  kubewright generate src/operator.ts --check        in CI

Files that were not generated are never touched; what was generated and no longer is, is removed.`,
    )
    .action(async (modules, options) =>
      finish((await import("./generate.js")).generateCommand(modules, options, streams)),
    );
}

function addImportCommand(
  program: Command,
  streams: CommandStreams,
  finish: (running: Promise<ExitCode>) => Promise<void>,
): void {
  program
    .command("import")
    .description("Write TypeScript that defines the same resources as CustomResourceDefinitions.")
    .argument("[path...]", "YAML or JSON files, and folders of them; other objects in them are left out")
    .option("--from-cluster [name...]", "definitions of a cluster, such as issuers.cert-manager.io (default: all)")
    .option("--kubeconfig <file>", "with --from-cluster: how to reach it (default: as kubectl does)")
    .option("--context <name>", "with --from-cluster: the context of the kubeconfig")
    .option("--out <folder>", "where the files go, one for each resource (default: printed)")
    .option("--force", "with --out: replace files that are there")
    .addHelpText(
      "after",
      `
Examples:
  kubewright import crd.yaml                          print it
  kubewright import config/crd --out src/kinds        a folder, and those below it
  kubewright import --from-cluster issuers.cert-manager.io --out src/kinds`,
    )
    .action(async (paths, options) => finish((await import("./import.js")).importCommand(paths, options, streams)));
}

function parseLength(text: string): number | "fit" {
  if (text === "fit") return "fit";
  const length = Number(text);
  if (!Number.isInteger(length) || length < 0)
    throw new InvalidArgumentError("It must be a whole number from 0 on, or fit.");
  return length;
}

function parsePort(text: string): number {
  const port = Number(text);
  if (!Number.isInteger(port) || port < 0 || port > 65_535) {
    throw new InvalidArgumentError("It must be a number from 0 to 65535.");
  }
  return port;
}

function parseNodes(text: string): number {
  const nodes = Number(text);
  if (!Number.isInteger(nodes) || nodes < 0 || nodes > 1_000) {
    throw new InvalidArgumentError("It must be a number from 0 to 1000.");
  }
  return nodes;
}
