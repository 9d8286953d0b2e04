import type { Command } from "commander";
import { type CommandLine, outputOption } from "../command-line.js";
import { clusterNameOption } from "./cluster-name-option.js";

/** What is done with the content of a running cluster. */
interface DataCommand {
  readonly action: "snapshot" | "restore" | "reset" | "load-image";
  readonly description: string;
  /** Undefined for a command without a file. */
  readonly file: string | undefined;
  readonly examples: readonly string[];
}

const commands: readonly DataCommand[] = [
  {
    action: "snapshot",
    description: "Write all objects of a running cluster to a file.",
    file: "file with the objects",
    examples: ["kubewright cluster snapshot before.snapshot", "kubewright cluster snapshot --name dev before.snapshot"],
  },
  {
    action: "restore",
    description: "Replace all objects of a running cluster by those of a file. Clients see the changes.",
    file: "file with the objects",
    examples: ["kubewright cluster restore before.snapshot"],
  },
  {
    action: "load-image",
    description: "Import an image archive into the real node of a running cluster. Its pods find the image by name.",
    file: "image archive, as docker save writes it",
    examples: ["kubewright cluster load-image web.tar      after: docker save web:1 > web.tar"],
  },
  {
    action: "reset",
    description: "Delete all objects of a running cluster, whatever their finalizers, except those of a new cluster.",
    file: undefined,
    examples: ["kubewright cluster reset", "kubewright cluster reset --name dev"],
  },
];

/** Adds `kubewright cluster snapshot`, `restore`, `load-image` and `reset`, which differ in the action only. */
export function addDataCommands(cluster: Command, { streams, finish }: CommandLine): void {
  for (const { action, description, file, examples } of commands) {
    const command = cluster
      .command(action)
      .description(description)
      .addOption(clusterNameOption())
      .addOption(outputOption());
    if (file !== undefined) command.argument("<file>", file);
    const lines = examples.map((line) => `  ${line}`);
    command.addHelpText("after", `\nExamples:\n${lines.join("\n")}`).action(async (...args) => {
      const [given, options] = file === undefined ? [undefined, args[0]] : [args[0], args[1]];
      await finish((await import("../../cluster-data.js")).clusterDataCommand(action, given, options, streams));
    });
  }
}
