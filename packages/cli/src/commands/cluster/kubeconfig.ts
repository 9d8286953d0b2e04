import { type Command, Option } from "commander";
import { type CommandLine, outputOption } from "../command-line.js";
import { clusterNameOption } from "./cluster-name-option.js";

/** Adds `kubewright cluster kubeconfig`. */
export function addKubeconfigCommand(cluster: Command, { streams, finish }: CommandLine): void {
  cluster
    .command("kubeconfig")
    .description("Print the kubeconfig of a running cluster, or merge it into yours.")
    .addOption(clusterNameOption())
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
      finish((await import("../../cluster-kubeconfig.js")).clusterKubeconfigCommand(options, streams)),
    );
}
