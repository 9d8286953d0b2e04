import type { CommandLine } from "./command-line.js";

const defaultModule = "src/operator.ts";

/** Adds `kubewright run`. */
export function addRunCommand({ program, streams, finish }: CommandLine): void {
  program
    .command("run")
    .description("Run an operator against the current context, without a container.")
    .argument("[module]", "TypeScript or JavaScript file that exports the operator", defaultModule)
    .argument("[flags...]", "flags of the operator after --, as in its Deployment; -- --help lists them")
    .addHelpText(
      "after",
      `
Examples:
  kubewright run
  kubewright run -- --install-crds --log-level debug
  kubewright run src/operator.ts -- --context staging --namespace shop

Stops on Ctrl-C. For development with reload on change: kubewright dev.`,
    )
    .action(async (module, flags) => {
      // `kubewright run -- --help`: without a module the first flag stands in its place.
      const [file, ...args] = module.startsWith("-") ? [defaultModule, module, ...flags] : [module, ...flags];
      await finish((await import("../run-operator.js")).runOperatorCommand(file, args, streams));
    });
}
