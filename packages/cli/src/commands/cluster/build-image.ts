import type { Command } from "commander";
import { type CommandLine, outputOption } from "../command-line.js";

/** Adds `kubewright cluster build-image`. */
export function addBuildImageCommand(cluster: Command, { streams, finish }: CommandLine): void {
  cluster
    .command("build-image")
    .description("Write an image archive of this machine's Node.js and a bundled program. Linux only.")
    .argument("<program>", "the program, bundled into one file of JavaScript")
    .requiredOption("--image <name>", "name of the image, with a tag")
    .option("--out <file>", "file to write (default: the program's name with .tar)")
    .addOption(outputOption())
    .addHelpText(
      "after",
      `
Examples:
  esbuild src/main.ts --bundle --platform=node --format=esm --outfile=operator.mjs
  kubewright cluster build-image operator.mjs --image example.com/operator:1.0
  kubewright cluster load-image operator.tar

For production build an image from a Dockerfile.`,
    )
    .action(async (program, options) =>
      finish((await import("../../build-image.js")).buildImageCommand(program, options, streams)),
    );
}
