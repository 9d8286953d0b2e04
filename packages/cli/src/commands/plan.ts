import { type CommandLine, outputOption } from "./command-line.js";

/** Adds `kubewright plan`. */
export function addPlanCommand({ program, streams, finish }: CommandLine): void {
  program
    .command("plan")
    .description("Run the reconcilers against a cluster with dry-run writes, and print what would change.")
    .argument("[module]", "TypeScript or JavaScript file that exports the operator", "src/operator.ts")
    .option("--context <name>", "context of the kubeconfig (default: the current one)")
    .option("--kubeconfig <file>", "kubeconfig file (default: as kubectl)")
    .option("-n, --namespace <name...>", "reconcile the objects of these namespaces only (default: all)")
    .option("--timeout <duration>", "how long the reconcilers may take", "2m")
    .option("--check", "exit with 4 when something would change")
    .option("--summary", "print the summary only")
    .addOption(outputOption())
    .addHelpText(
      "after",
      `
Examples:
  kubewright plan                                      before an upgrade: what the new version would do
  kubewright plan --context production --summary
  kubewright plan -n shop -o json

Every write is sent as a server-side dry run: the cluster validates and defaults it, and stores nothing. No lease is taken, no event recorded, no
finalizer added. Objects that are being deleted are not finalized. What a reconciler does outside of the cluster is not held back: give it
credentials that only read.`,
    )
    .action(async (module, options) =>
      finish((await import("../plan/index.js")).planCommand(module, options, streams)),
    );
}
