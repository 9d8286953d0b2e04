import { Command, Option } from "commander";
import { addClusterCommands } from "./commands/cluster/index.js";
import type { CommandLine } from "./commands/command-line.js";
import { addCompletionCommand } from "./commands/completion.js";
import { addCreateCommands } from "./commands/create.js";
import { addDeleteCommands } from "./commands/delete.js";
import { addDeployCommand } from "./commands/deploy.js";
import { addDevCommand } from "./commands/dev.js";
import { addDoctorCommand } from "./commands/doctor.js";
import { addExplainCommand } from "./commands/explain.js";
import { addGenerateCommand } from "./commands/generate.js";
import { addImportCommand } from "./commands/import.js";
import { addInitCommand } from "./commands/init.js";
import { addInstallCommand } from "./commands/install.js";
import { addMigrateCommand } from "./commands/migrate.js";
import { addPlanCommand } from "./commands/plan.js";
import { addRunCommand } from "./commands/run.js";
import { addUndeployCommand } from "./commands/undeploy.js";
import { addUninstallCommand } from "./commands/uninstall.js";
import { addVersionCommand } from "./commands/version.js";
import { addWhyCommand } from "./commands/why.js";
import { cliVersion } from "./version.js";

/** In the order of `--help`. */
const commands: readonly ((line: CommandLine) => void)[] = [
  addInitCommand,
  addCreateCommands,
  addDeleteCommands,
  addDevCommand,
  addRunCommand,
  addGenerateCommand,
  addImportCommand,
  addExplainCommand,
  addPlanCommand,
  addInstallCommand,
  addUninstallCommand,
  addDeployCommand,
  addUndeployCommand,
  addMigrateCommand,
  addDoctorCommand,
  addClusterCommands,
  addWhyCommand,
  addCompletionCommand,
  addVersionCommand,
];

/** The command with all of its subcommands. It loads none of them before it runs. */
export function createProgram({ streams, finish }: Omit<CommandLine, "program">): Command {
  const program = new Command("kubewright")
    .description("Kubernetes operators in TypeScript: develop, test, run.")
    .version(cliVersion)
    // Commands have options of the same name, such as --version.
    .enablePositionalOptions()
    .exitOverride()
    .configureOutput({ writeOut: (text) => streams.out.write(text), writeErr: (text) => streams.err.write(text) })
    .showHelpAfterError("(use --help for the options)")
    .addHelpText(
      "after",
      `
Examples:
  kubewright init website-operator                a new project
  kubewright dev                                  run it on an embedded cluster, reload it on change
  kubewright plan                                 what its reconcilers would change in the current cluster
  kubewright deploy --image registry.example.com/website-operator:1.0.0

Exit codes: 0 success, 1 failure, 2 invalid command line, 3 no such cluster is running, 4 out of date, 5 no such object or field.`,
    );
  for (const add of commands) add({ program, streams, finish });
  for (const leaf of leavesOf(program)) leaf.addOption(verboseOption());
  return program;
}

/** The commands that do something, not those that only group others. */
export function leavesOf(command: Command): Command[] {
  const isGroup = command.commands.length > 0 && command.registeredArguments.length === 0;
  return [...(isGroup ? [] : [command]), ...command.commands.flatMap(leavesOf)];
}

function verboseOption(): Option {
  return new Option("--verbose", "on a failure, also print where it happened");
}
