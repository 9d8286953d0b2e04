import type { Command } from "commander";
import { type CommandLine, outputOption } from "../command-line.js";
import { parseNodes, parsePort } from "../number-options.js";
import { clusterNameOption } from "./cluster-name-option.js";

/** Adds `kubewright cluster start`. */
export function addStartCommand(cluster: Command, { streams, finish }: CommandLine): void {
  cluster
    .command("start")
    .description("Start an embedded cluster and serve it to kubectl until Ctrl-C.")
    .addOption(clusterNameOption())
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
    .action(async (options) => finish((await import("../../cluster-start.js")).startClusterCommand(options, streams)));
}

function parseNames(text: string): string[] {
  return text.split(",").filter((name) => name !== "");
}
