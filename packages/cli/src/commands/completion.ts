import { Argument } from "commander";
import { exitCodes } from "../exit-codes.js";
import type { CommandLine } from "./command-line.js";

/** Adds `kubewright completion`. */
export function addCompletionCommand({ program, finish }: CommandLine): void {
  program
    .command("completion")
    .description("Print a script that completes commands and options on a tab.")
    .addArgument(new Argument("<shell>", "your shell").choices(["bash", "zsh", "fish", "powershell"]))
    .addHelpText(
      "after",
      `
Examples:
  source <(kubewright completion bash)                 this shell; add the line to ~/.bashrc for all
  kubewright completion zsh > "\${fpath[1]}/_kubewright"
  kubewright completion fish > ~/.config/fish/completions/kubewright.fish`,
    )
    .action(async (shell: string) => {
      const { printCompletion } = await import("../complete.js");
      printCompletion(shell);
      await finish(Promise.resolve(exitCodes.done));
    });
}
