import { inspect } from "node:util";
import { isOperatorError } from "@kubewright/core/errors";
import { CommanderError } from "commander";
import type { CommandStreams } from "./command-streams.js";
import { type ExitCode, exitCodes } from "./exit-codes.js";
import { createProgram } from "./program.js";

/**
 * Runs one command line, without the name of the command, and returns its exit code.
 *
 * 0: success. 1: failure, with the reason on standard error. 2: invalid command line. 3: no such cluster is running.
 * 4: out of date: generated files, or with `plan --check` objects. 5: no such object or field.
 */
export async function runCommand(
  args: readonly string[],
  streams: CommandStreams = { out: process.stdout, err: process.stderr },
): Promise<number> {
  let code: ExitCode = exitCodes.done;
  let verbose = false;
  const finish = async (running: Promise<ExitCode>): Promise<void> => {
    code = await running;
  };
  const program = createProgram({ streams, finish }).hook("preAction", (_, action) => {
    verbose = action.opts()["verbose"] === true;
  });
  // Shells run it on a tab.
  if (args[0] === "complete") await (await import("./complete.js")).addCompleteCommand(program);
  try {
    await program.parseAsync([...args], { from: "user" });
    return code;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.done : exitCodes.wrongUsage;
    streams.err.write(failureText(error, verbose));
    return exitCodes.failed;
  }
}

/** One sentence; with `--verbose` also the stack with its causes. */
function failureText(error: unknown, verbose: boolean): string {
  const message = error instanceof Error ? error.message : String(error);
  const isExpected = isOperatorError(error);
  const sentence = isExpected ? message : `unexpected failure: ${message}`;
  const hint = isExpected || verbose ? "" : "; --verbose shows where, please report it";
  const stack = verbose ? `${inspect(error)}\n` : "";
  return `error: ${sentence}${hint}\n${stack}`;
}
