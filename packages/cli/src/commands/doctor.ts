import { type CommandLine, outputOption } from "./command-line.js";

/** Adds `kubewright doctor`. */
export function addDoctorCommand({ program, streams, finish }: CommandLine): void {
  program
    .command("doctor")
    .description(
      "Check project, cluster and deployment, and say what is wrong and how to fix it. Exits with 1 on a failure.",
    )
    .argument("[module]", "TypeScript or JavaScript file that exports the operator", "src/operator.ts")
    .option("--context <name>", "context of the kubeconfig (default: the current one)")
    .option("--kubeconfig <file>", "kubeconfig file (default: as kubectl)")
    .option("-n, --namespace <name>", "namespace of the operator (default: its name and -system)")
    .addOption(outputOption())
    .addHelpText(
      "after",
      `
Examples:
  kubewright doctor
  kubewright doctor --context staging -n shop
  kubewright doctor -o json

Checks: Node, duplicate packages, kubeconfig, API server, CRDs, Deployment, permissions of its ServiceAccount, webhooks, leader election. Changes nothing.`,
    )
    .action(async (module, options) =>
      finish((await import("../doctor/index.js")).doctorCommand(module, options, streams)),
    );
}
