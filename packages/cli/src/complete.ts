import tab from "@bomb.sh/tab";
import completionsOf from "@bomb.sh/tab/commander";
import type { Command } from "commander";

/** Prints the script of a shell, which runs `kubewright complete` on each tab. The library writes to standard output. */
export function printCompletion(shell: string): void {
  tab.setup("kubewright", "kubewright", shell);
}

/** Adds the command that prints the candidates for a line. */
export function addCompleteCommand(program: Command): void {
  completionsOf(program, { completionCommandName: "complete-script" });
}
