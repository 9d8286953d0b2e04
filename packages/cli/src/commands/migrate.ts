import { type CommandLine, outputOption } from "./command-line.js";

/** Adds `kubewright migrate`. */
export function addMigrateCommand({ program, streams, finish }: CommandLine): void {
  program
    .command("migrate")
    .description("Rewrite stored custom resources in the storage version, so that older versions can be removed.")
    .argument("[module]", "TypeScript or JavaScript file that exports the operator", "src/operator.ts")
    .option("--context <name>", "context of the kubeconfig (default: the current one)")
    .option("--kubeconfig <file>", "kubeconfig file (default: as kubectl)")
    .addOption(outputOption())
    .addHelpText(
      "after",
      `
Examples:
  kubewright migrate
  kubewright migrate src/operator.ts --context staging

Each object is written without a change. It can be interrupted and repeated, and run beside the operator. Afterwards status.storedVersions of each CRD
lists the storage version only.`,
    )
    .action(async (module, options) =>
      finish((await import("../migrate.js")).migrateCommand(module, options, streams)),
    );
}
