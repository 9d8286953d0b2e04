import { isOperatorError } from "@kubewright/core/errors";
import { Command, CommanderError, InvalidArgumentError, Option } from "commander";
import type { CommandStreams } from "./command-streams.js";
import { addCreateCommands } from "./commands/create-api.js";
import { addInitCommand } from "./commands/init.js";
import { type ExitCode, exitCodes } from "./exit-codes.js";

/**
 * Runs one command line, without the name of the command, and returns its exit code.
 *
 * 0: success. 1: failure, with the reason on standard error. 2: invalid command line. 3: no such cluster is running.
 * 4: generated files are out of date. 5: the operator does not know the object.
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
    // Commands have options of the same name, such as --version.
    .enablePositionalOptions()
    .exitOverride()
    .configureOutput({ writeOut: (text) => streams.out.write(text), writeErr: (text) => streams.err.write(text) })
    .showHelpAfterError("(use --help for the options)");
  addInitCommand(program, streams, finish);
  addCreateCommands(program, streams, finish);
  addClusterCommands(program, streams, finish);
  addGenerateCommand(program, streams, finish);
  addImportCommand(program, streams, finish);
  addWhyCommand(program, streams, finish);
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

/** Each command is loaded lazily: `status` does not need the embedded cluster. */
function addClusterCommands(
  program: Command,
  streams: CommandStreams,
  finish: (running: Promise<ExitCode>) => Promise<void>,
): void {
  const cluster = program.command("cluster").description("Embedded Kubernetes clusters, for development and tests.");
  const name = (): Option => new Option("--name <name>", "name of the cluster").default("default");
  const output = (): Option =>
    new Option("-o, --output <format>", "output format").default("text").choices(["text", "json"]);
  cluster
    .command("start")
    .description("Start an embedded cluster and serve it to kubectl until Ctrl-C.")
    .addOption(name())
    .option("--port <number>", "port on 127.0.0.1 (default: a free one)", parsePort)
    .option("--data-dir <dir>", "store objects in a directory (default: in memory)")
    .option("--nodes <number>", "number of simulated nodes (default: 1)", parseNodes)
    .option("--no-workloads", "API server only: no controllers, scheduler or nodes")
    .option("--detach", "run in the background; return when the cluster is ready")
    .option("--kubeconfig <file>", 'kubeconfig file to write (default: ".kubewright/kubeconfig")')
    .option("--merge-kubeconfig", "add a context to your kubeconfig instead")
    .option("--set-context", "with --merge-kubeconfig: set the current context")
    .addOption(output())
    .addHelpText(
      "after",
      `
Examples:
  kubewright cluster start
  kubewright cluster start --port 6443 --kubeconfig dev.kubeconfig
  kubewright cluster start --data-dir dev-data       objects survive a restart
  kubewright cluster start --nodes 3                 three simulated nodes
  kubewright cluster start --detach --merge-kubeconfig
  kubewright cluster start -o json                   print one line of JSON when ready

Controllers, scheduler and simulated nodes run: the Pods of a Deployment become ready, but no container runs.
Without --data-dir all objects are lost on stop. The kubeconfig, or the context, is removed on stop.`,
    )
    .action(async (options) => finish((await import("./cluster-start.js")).startClusterCommand(options, streams)));
  cluster
    .command("stop")
    .description(
      "Stop a cluster that runs in the background or in another terminal. Exits with 3 when it is not running.",
    )
    .addOption(name())
    .option("--all", "stop all your clusters")
    .addHelpText(
      "after",
      "\nExamples:\n  kubewright cluster stop\n  kubewright cluster stop --name other\n  kubewright cluster stop --all",
    )
    .action(async (options) => finish((await import("./cluster-stop.js")).stopClusterCommand(options, streams)));
  cluster
    .command("status")
    .description("Show your clusters. Exits with 3 when none is running, with 1 when none responds.")
    .option("--name <name>", "name of the cluster (default: all)")
    .addOption(output())
    .addHelpText("after", "\nExamples:\n  kubewright cluster status\n  kubewright cluster status --name other -o json")
    .action(async (options) => finish((await import("./cluster-status.js")).clusterStatusCommand(options, streams)));
  cluster
    .command("kubeconfig")
    .description("Print the kubeconfig of a running cluster, or merge it into yours.")
    .addOption(name())
    .option("--merge", "add a context to your kubeconfig instead of printing")
    .option("--set-context", "with --merge: set the current context")
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
    .description("Write the manifests of an operator: CRDs, RBAC, webhooks, samples, Deployment.")
    .argument("<module...>", "TypeScript or JavaScript files that export operators or resources")
    .option("--out <dir>", "output directory", "config")
    .option("--check", "write nothing; exit with 4 when a file is out of date, for CI")
    .option("--namespace <name>", "namespace of the operator", "default")
    .option("--namespaced", "the operator watches its namespace only: a Role instead of a ClusterRole")
    .option("--no-leader-election", "no Role for the leader election Lease")
    .option("--install-crds", "grant the permission to install its CRDs on start")
    .option("--migrate-stored", "grant the permission to migrate stored objects to the storage version")
    .option("--cert-manager", "cert-manager issues the webhook certificates")
    .option("--image <image>", "container image: adds Deployment, Namespace, kustomizations and the installer")
    .option("--installer <file>", "with --image: all manifests in one file", "dist/install.yaml")
    .option("--webhook-url <url>", "URL of webhooks outside the cluster (default: a Service)")
    .option(
      "--max-description-length <number>",
      'truncate field descriptions; 0 omits them, "fit" truncates only where kubectl apply requires it',
      parseLength,
    )
    .addOption(new Option("-o, --output <format>", "output format").default("text").choices(["text", "json"]))
    .addHelpText(
      "after",
      `
Examples:
  kubewright generate src/operator.ts
  kubewright generate src/operator.ts --out deploy --namespace shop
  kubewright generate src/operator.ts --image registry.example.com/shop:1.0.0 --namespace shop-system
  kubewright generate src/operator.ts --check        for CI

Files that were not generated are never changed. Files that are no longer generated are removed.`,
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
    .description("Convert CustomResourceDefinitions to TypeScript resource definitions.")
    .argument("[path...]", "YAML or JSON files, or directories of them; other objects are ignored")
    .option("--from-cluster [name...]", "import CRDs of a cluster, such as issuers.cert-manager.io (default: all)")
    .option("--kubeconfig <file>", "with --from-cluster: kubeconfig file (default: as kubectl)")
    .option("--context <name>", "with --from-cluster: context of the kubeconfig")
    .option("--out <dir>", "output directory, one file per resource (default: standard output)")
    .option("--force", "with --out: replace existing files")
    .addHelpText(
      "after",
      `
Examples:
  kubewright import crd.yaml                          print to standard output
  kubewright import config/crd --out src/kinds        a directory, recursively
  kubewright import --from-cluster issuers.cert-manager.io --out src/kinds`,
    )
    .action(async (paths, options) => finish((await import("./import.js")).importCommand(paths, options, streams)));
}

function addWhyCommand(
  program: Command,
  streams: CommandStreams,
  finish: (running: Promise<ExitCode>) => Promise<void>,
): void {
  program
    .command("why")
    .description("Show the last runs of an object: why an operator reconciled it, what it did, and what happens next.")
    .argument("<type/name>", "the object, such as website/shop or websites.web.example.com/shop")
    .option("-n, --namespace <name>", "namespace of the object", "default")
    .option(
      "--url <url>",
      "metrics address of the operator (default: KUBEWRIGHT_OPERATOR_URL, or http://127.0.0.1:8080)",
    )
    .option("--token <token>", "bearer token for secured metrics (default: KUBEWRIGHT_TOKEN)")
    .option("--certificate-authority <file>", "CA certificate of the operator's metrics address")
    .option("--insecure-skip-tls-verify", "accept any certificate, such as the operator's self-signed one")
    .addOption(new Option("-o, --output <format>", "output format").default("text").choices(["text", "json"]))
    .addHelpText(
      "after",
      `
Examples:
  kubewright why website/shop                          an operator on this machine, with metricsAddress "127.0.0.1:8080"
  kubewright why website/shop -n web -o json
  kubectl port-forward deploy/website-operator 8443    in another terminal, for one in the cluster
  kubewright why website/shop --url https://127.0.0.1:8443 --insecure-skip-tls-verify \\
    --token "$(kubectl create token website-operator-viewer)"

Example of the output:
  14:02:11  run 7  cause: read Secret default/shop-token, changed .data.token
            apply  Deployment default/shop    ~ .spec.template.spec.containers[web].env
            status Ready: False TokenMissing -> False Progressing
            done in 12 ms; next: on change

The operator must run with metricsAddress, either on a loopback address or with secureMetrics. Then the user of the token needs
the verb get of the non-resource URL /debug/runs. Times are UTC. Exits with 5 when the operator does not know the object.`,
    )
    .action(async (object, options) => finish((await import("./why.js")).whyCommand(object, options, streams)));
}

function parseLength(text: string): number | "fit" {
  if (text === "fit") return "fit";
  const length = Number(text);
  if (!Number.isInteger(length) || length < 0)
    throw new InvalidArgumentError('It must be a non-negative integer, or "fit".');
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
