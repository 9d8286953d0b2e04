import { type CommandLine, outputOption } from "./command-line.js";

/** Adds `kubewright explain`. */
export function addExplainCommand({ program, streams, finish }: CommandLine): void {
  program
    .command("explain")
    .description("Describe a kind or a field of the project, or of the CRDs it imported, without a cluster.")
    .argument("<type[.field]>", "a kind, plural or short name, and a path, such as website.spec.replicas")
    .argument("[module]", "TypeScript or JavaScript file that exports the operator", "src/operator.ts")
    .option("--api-version <version>", "version of the kind, such as v1 (default: the stored one)")
    .option("--recursive", "list the fields of fields too")
    .addOption(outputOption())
    .addHelpText(
      "after",
      `
Examples:
  kubewright explain website
  kubewright explain website.spec.replicas
  kubewright explain issuer.spec --recursive           an imported kind that the operator reads or writes
  kubewright explain website src/api/website.ts        a module that exports the resource only

Exits with 5 when there is no such kind or field.`,
    )
    .action(async (path, module, options) =>
      finish((await import("../explain.js")).explainCommand(path, { module, ...options }, streams)),
    );
}
