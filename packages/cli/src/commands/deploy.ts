import type { CommandLine } from "./command-line.js";
import { targetCommand } from "./target-command.js";

/** Adds `kubewright deploy`. */
export function addDeployCommand(line: CommandLine): void {
  const { streams, finish } = line;
  targetCommand(
    line,
    "deploy",
    "Deploy an operator to a cluster: CRDs, RBAC, Deployment, webhooks; wait until it is available.",
  )
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
}
