import { type CommandLine, outputOption } from "./command-line.js";

/** Adds `kubewright import`. */
export function addImportCommand({ program, streams, finish }: CommandLine): void {
  program
    .command("import")
    .description("Convert CustomResourceDefinitions to TypeScript resource definitions.")
    .argument("[path...]", "YAML or JSON files, or directories of them; other objects are ignored")
    .option("--from-cluster [name...]", "import CRDs of a cluster, such as issuers.cert-manager.io (default: all)")
    .option("--kubeconfig <file>", "with --from-cluster: kubeconfig file (default: as kubectl)")
    .option("--context <name>", "with --from-cluster: context of the kubeconfig")
    .option("--out <dir>", "output directory, one file per resource (default: standard output)")
    .option("--force", "with --out: replace existing files")
    .addOption(outputOption())
    .addHelpText(
      "after",
      `
Examples:
  kubewright import crd.yaml                          print to standard output
  kubewright import config/crd --out src/kinds        a directory, recursively
  kubewright import --from-cluster issuers.cert-manager.io --out src/kinds`,
    )
    .action(async (paths, options) => finish((await import("../import.js")).importCommand(paths, options, streams)));
}
