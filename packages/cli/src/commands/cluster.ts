import { type Command, InvalidArgumentError, Option } from "commander";
import { type CommandLine, outputOption } from "./command-line.js";

/** Adds `kubewright cluster`. Each command is loaded lazily: `status` does not need the embedded cluster. */
export function addClusterCommands({ program, streams, finish }: CommandLine): void {
  const cluster = program.command("cluster").description("Embedded Kubernetes clusters, for development and tests.");
  const name = (): Option => new Option("--name <name>", "name of the cluster").default("default");
  cluster
    .command("start")
    .description("Start an embedded cluster and serve it to kubectl until Ctrl-C.")
    .addOption(name())
    .option("--port <number>", "port on 127.0.0.1 (default: a free one)", parsePort)
    .option("--data-dir <dir>", "store objects in a directory (default: in memory)")
    .option("--nodes <number>", "number of simulated nodes (default: 1)", parseNodes)
    .option("--real-node", "join this machine as a node that runs containers: Linux, as root (simulated nodes: 0)")
    .option("--no-workloads", "API server only: no controllers, scheduler or nodes")
    .option("--enable-admission-plugins <names>", "as of kube-apiserver: names, separated by commas", parseNames)
    .option("--disable-admission-plugins <names>", "as of kube-apiserver", parseNames)
    .option(
      "--audit-policy-file <file>",
      "what to record of requests: a Policy of audit.k8s.io/v1 (default: everything)",
    )
    .option("--audit-log-path <file>", 'append audit events to a file; "-" is the standard output')
    .option("--token-auth-file <file>", 'bearer tokens of users: lines of token,user,uid,"group1,group2"')
    .option("--detach", "run in the background; return when the cluster is ready")
    .option("--kubeconfig <file>", 'kubeconfig file to write (default: ".kubewright/kubeconfig")')
    .option("--merge-kubeconfig", "add a context to your kubeconfig instead")
    .option("--set-context", "with --merge-kubeconfig: set the current context")
    .addOption(outputOption())
    .addHelpText(
      "after",
      `
Examples:
  kubewright cluster start
  kubewright cluster start --port 6443 --kubeconfig dev.kubeconfig
  kubewright cluster start --data-dir dev-data       objects survive a restart
  kubewright cluster start --nodes 3                 three simulated nodes
  sudo kubewright cluster start --real-node          containers run, by containerd and kubelet
  kubewright cluster start --detach --merge-kubeconfig
  kubewright cluster start -o json                   print one line of JSON when ready

Controllers, scheduler and simulated nodes run: the Pods of a Deployment become ready, but no container runs.
Without --data-dir all objects are lost on stop. The kubeconfig, or the context, is removed on stop.`,
    )
    .action(async (options) => finish((await import("../cluster-start.js")).startClusterCommand(options, streams)));
  cluster
    .command("stop")
    .description(
      "Stop a cluster that runs in the background or in another terminal. Exits with 3 when it is not running.",
    )
    .addOption(name())
    .option("--all", "stop all your clusters")
    .addOption(outputOption())
    .addHelpText(
      "after",
      "\nExamples:\n  kubewright cluster stop\n  kubewright cluster stop --name other\n  kubewright cluster stop --all",
    )
    .action(async (options) => finish((await import("../cluster-stop.js")).stopClusterCommand(options, streams)));
  cluster
    .command("status")
    .description("Show your clusters. Exits with 3 when none is running, with 1 when none responds.")
    .option("--name <name>", "name of the cluster (default: all)")
    .addOption(outputOption())
    .addHelpText("after", "\nExamples:\n  kubewright cluster status\n  kubewright cluster status --name other -o json")
    .action(async (options) => finish((await import("../cluster-status.js")).clusterStatusCommand(options, streams)));
  cluster
    .command("kubeconfig")
    .description("Print the kubeconfig of a running cluster, or merge it into yours.")
    .addOption(name())
    .option("--merge", "add a context to your kubeconfig instead of printing")
    .option("--set-context", "with --merge: set the current context")
    .addOption(
      new Option(
        "--as <user>",
        'act as this user, with the permissions that RBAC grants: "jane", "system:serviceaccount:ns:name"',
      ).conflicts("merge"),
    )
    .option("--as-group <groups...>", "with --as: groups of the user (default: those of a ServiceAccount)")
    .option("--as-uid <uid>", "with --as: uid of the user")
    .addOption(outputOption())
    .addHelpText(
      "after",
      "\nExamples:\n  kubewright cluster kubeconfig > dev.kubeconfig\n  kubewright cluster kubeconfig --as system:serviceaccount:default:bot > bot.kubeconfig\n  kubewright cluster kubeconfig --merge\n  kubectl --context kubewright-default get namespaces",
    )
    .action(async (options) =>
      finish((await import("../cluster-kubeconfig.js")).clusterKubeconfigCommand(options, streams)),
    );
  const data = (
    action: "snapshot" | "restore" | "reset" | "load-image",
    description: string,
    examples: string,
  ): Command => {
    const command = cluster.command(action).description(description).addOption(name()).addOption(outputOption());
    const content = action === "load-image" ? "image archive, as docker save writes it" : "file with the objects";
    if (action !== "reset") command.argument("<file>", content);
    const examplesText = examples.split("\n").map((line) => `  ${line}`);
    return command.addHelpText("after", `\nExamples:\n${examplesText.join("\n")}`).action(async (...args) => {
      const [file, options] = action === "reset" ? [undefined, args[0]] : [args[0], args[1]];
      await finish((await import("../cluster-data.js")).clusterDataCommand(action, file, options, streams));
    });
  };
  data(
    "snapshot",
    "Write all objects of a running cluster to a file.",
    "kubewright cluster snapshot before.snapshot\nkubewright cluster snapshot --name dev before.snapshot",
  );
  data(
    "restore",
    "Replace all objects of a running cluster by those of a file. Clients see the changes.",
    "kubewright cluster restore before.snapshot",
  );
  data(
    "load-image",
    "Import an image archive into the real node of a running cluster. Its pods find the image by name.",
    "kubewright cluster load-image web.tar      after: docker save web:1 > web.tar",
  );
  cluster
    .command("build-image")
    .description("Write an image archive of this machine's Node.js and a bundled program. Linux only.")
    .argument("<program>", "the program, bundled into one file of JavaScript")
    .requiredOption("--image <name>", "name of the image, with a tag")
    .option("--out <file>", "file to write (default: the program's name with .tar)")
    .addOption(outputOption())
    .addHelpText(
      "after",
      `
Examples:
  esbuild src/main.ts --bundle --platform=node --format=esm --outfile=operator.mjs
  kubewright cluster build-image operator.mjs --image example.com/operator:1.0
  kubewright cluster load-image operator.tar

For production build an image from a Dockerfile.`,
    )
    .action(async (program, options) =>
      finish((await import("../build-image.js")).buildImageCommand(program, options, streams)),
    );
  data(
    "reset",
    "Delete all objects of a running cluster, whatever their finalizers, except those of a new cluster.",
    "kubewright cluster reset\nkubewright cluster reset --name dev",
  );
}

/** A port from the command line. */
export function parsePort(text: string): number {
  const port = Number(text);
  if (!Number.isInteger(port) || port < 0 || port > 65_535) {
    throw new InvalidArgumentError("It must be a number from 0 to 65535.");
  }
  return port;
}

/** A number of simulated nodes from the command line. */
export function parseNodes(text: string): number {
  const nodes = Number(text);
  if (!Number.isInteger(nodes) || nodes < 0 || nodes > 1_000) {
    throw new InvalidArgumentError("It must be a number from 0 to 1000.");
  }
  return nodes;
}

function parseNames(text: string): string[] {
  return text.split(",").filter((name) => name !== "");
}
