import { InvalidArgumentError } from "commander";
import { type CommandLine, outputOption } from "./command-line.js";

const defaultModules = ["src/operator.ts"];

/** Adds `kubewright generate`. */
export function addGenerateCommand({ program, streams, finish }: CommandLine): void {
  const generate = program
    .command("generate")
    .description("Write the manifests of an operator: CRDs, RBAC, webhooks, samples, Deployment.")
    .argument("[module...]", "TypeScript or JavaScript files that export operators or resources", defaultModules)
    .option("--out <dir>", "output directory", "config")
    .option("--check", "write nothing; exit with 4 when a file is out of date, for CI")
    .option("--namespace <name>", "namespace of the operator", "default")
    .option("--namespaced", "the operator watches its namespace only: a Role instead of a ClusterRole")
    .option("--no-leader-election", "no Role for the leader election Lease")
    .option("--install-crds", "grant the permission to install its CRDs on start")
    .option("--migrate-stored", "grant the permission to migrate stored objects to the storage version")
    .option("--cert-manager", "cert-manager issues the webhook certificates")
    .option("--image <image>", "container image: adds Deployment, Namespace, kustomizations and the installer")
    .option(
      "--no-metrics",
      "with --image: no metrics on port 8443, and none of their Service, roles and ServiceMonitor",
    )
    .option("--installer <file>", "with --image: all manifests in one file", "dist/install.yaml")
    .option("--webhook-url <url>", "URL of webhooks outside the cluster (default: a Service)")
    .option(
      "--max-description-length <number>",
      'truncate field descriptions; 0 omits them, "fit" truncates only where kubectl apply requires it',
      parseLength,
    )
    .addOption(outputOption())
    .addHelpText(
      "after",
      `
Examples:
  kubewright generate
  kubewright generate src/operator.ts --out deploy --namespace shop
  kubewright generate src/operator.ts --image registry.example.com/shop:1.0.0 --namespace shop-system
  kubewright generate src/operator.ts --check        for CI
  kubewright generate docs src/operator.ts           the reference of its resources

Files that were not generated are never changed. Files that are no longer generated are removed.`,
    )
    .action(async (modules, options) =>
      finish((await import("../generate.js")).generateCommand(modules, options, streams)),
    );
  generate
    .command("docs")
    .description("Print the reference of the resources as Markdown: fields, types, defaults, limits.")
    .argument("[module...]", "TypeScript or JavaScript files that export operators or resources", defaultModules)
    .option("--out <file>", "file to write (default: standard output)")
    .option("--check", "with --out: write nothing; exit with 4 when the file is out of date, for CI")
    .addOption(outputOption())
    .addHelpText(
      "after",
      `
Examples:
  kubewright generate docs
  kubewright generate docs src/operator.ts --out docs/api.md
  kubewright generate docs src/operator.ts --out docs/api.md --check`,
    )
    .action(async (modules, options) =>
      finish((await import("../generate-docs.js")).generateDocsCommand(modules, options, streams)),
    );
}

function parseLength(text: string): number | "fit" {
  if (text === "fit") return "fit";
  const length = Number(text);
  if (!Number.isInteger(length) || length < 0)
    throw new InvalidArgumentError('It must be a non-negative integer, or "fit".');
  return length;
}
