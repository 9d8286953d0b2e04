import { type CommandLine, outputOption } from "./command-line.js";

/** Adds `kubewright version`. */
export function addVersionCommand({ program, streams, finish }: CommandLine): void {
  program
    .command("version")
    .description("Print the versions of this command, of the project's packages, and of Node.")
    .addOption(outputOption())
    .addHelpText("after", "\nExamples:\n  kubewright version\n  kubewright version -o json")
    .action(async (options) => finish((await import("../print-version.js")).versionCommand(options, streams)));
}
