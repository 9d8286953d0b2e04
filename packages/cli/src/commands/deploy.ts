import type { Command } from "commander";
import { type CommandLine, outputOption } from "./command-line.js";

/** Adds `kubewright install`, `uninstall`, `deploy` and `undeploy`. */
export function addDeployCommands({ program, streams, finish }: CommandLine): void {
  const command = (name: string, description: string): Command =>
    program
      .command(name)
      .description(description)
      .argument("[module]", "TypeScript or JavaScript file that exports the operator", "src/operator.ts")
      .option("--context <name>", "context of the kubeconfig (default: the current one)")
      .option("--kubeconfig <file>", "kubeconfig file (default: as kubectl)")
      .option("--dry-run", "change nothing: show what a server-side dry run would change")
      .addOption(outputOption());
  command("install", "Apply the CRDs of an operator to a cluster, and wait until they are served.")
    .addHelpText(
      "after",
      `
Examples:
  kubewright install
  kubewright install src/operator.ts --dry-run        show what would change, field by field

CRDs that the operator no longer has are kept: deleting one deletes its objects. Use uninstall for that.`,
    )
    .action(async (module, options) =>
      finish((await import("../deploy/index.js")).installCommand(module, options, streams)),
    );
  command("uninstall", "Delete the CRDs of an operator from a cluster. Rejected while objects of them exist.")
    .option("--force", "delete the CRDs although objects of them exist, and so those objects")
    .addHelpText("after", "\nExamples:\n  kubewright uninstall\n  kubewright uninstall --force --context staging")
    .action(async (module, options) =>
      finish((await import("../deploy/index.js")).uninstallCommand(module, options, streams)),
    );
  command("deploy", "Deploy an operator to a cluster: CRDs, RBAC, Deployment, webhooks; wait until it is available.")
    .requiredOption("--image <image>", "container image, such as registry.example.com/shop:1.0.0")
    .option("-n, --namespace <name>", "namespace of the operator (default: its name and -system)")
    .option("--namespaced", "the operator watches its namespace only: a Role instead of a ClusterRole")
    .option("--cert-manager", "cert-manager issues the webhook certificates")
    .option("--timeout <duration>", "how long to wait, such as 90s or 5m", "3m")
    .option("--no-wait", "do not wait until the Deployment is available")
    .addHelpText(
      "after",
      `
Examples:
  kubewright deploy --image registry.example.com/shop:1.0.0
  kubewright deploy --image registry.example.com/shop:1.1.0 --dry-run
  kubewright deploy --image registry.example.com/shop:1.0.0 -n shop --context staging

Objects are applied as an ApplySet: what a newer version no longer has is deleted, except CRDs. Fields that others set are kept.`,
    )
    .action(async (module, options) =>
      finish((await import("../deploy/index.js")).deployCommand(module, options, streams)),
    );
  command("undeploy", "Delete what deploy applied, except CRDs: their objects would be deleted too.")
    .option("-n, --namespace <name>", "namespace of the operator (default: its name and -system)")
    .addHelpText("after", "\nExamples:\n  kubewright undeploy\n  kubewright undeploy -n shop && kubewright uninstall")
    .action(async (module, options) =>
      finish((await import("../deploy/index.js")).undeployCommand(module, options, streams)),
    );
}
