import type { CommandStreams } from "./command-streams.js";
import { type ExitCode, exitCodes } from "./exit-codes.js";
import { exportedOperator } from "./exported-operator.js";
import { loadExports } from "./load-exports.js";

/** Runs the operator of a module with its flags until it is stopped. Rejects when it cannot start or lost its lease. */
export async function runOperatorCommand(
  module: string,
  flags: readonly string[],
  { out, signal, environment = process.env }: CommandStreams,
): Promise<ExitCode> {
  const operator = exportedOperator(module, await loadExports(module));
  await operator.runFromArgs({ args: flags, environment, output: out, ...(signal && { signal }) });
  return exitCodes.done;
}
