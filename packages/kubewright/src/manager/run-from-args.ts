import type { AssembledOperator } from "./assemble-operator.js";
import { describeFlags } from "./flag-set.js";
import { operatorFlags, optionsFromArgs } from "./operator-flags.js";
import type { RunOptions } from "./run-operator.js";
import { explainWhenUncaught, runProcess } from "./run-process.js";

/** How an operator runs by its command line and environment. All other options are those of `run`, which flags and variables override. */
export interface RunFromArgsOptions extends RunOptions {
  /** @default the arguments of the process */
  readonly args?: readonly string[];
  /** @default the environment of the process */
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /** Where `--help` is printed. @default standard output */
  readonly output?: { write(text: string): unknown };
}

/** See `Operator.runFromArgs`. */
export async function runFromArgs(
  operator: AssembledOperator,
  {
    args = process.argv.slice(2),
    environment = process.env,
    output = process.stdout,
    ...given
  }: RunFromArgsOptions = {},
): Promise<void> {
  if (args.some((arg) => ["-h", "-help", "--help"].includes(arg))) {
    output.write(`Runs the operator "${operator.name}".\n\nFlags:\n${describeFlags(operatorFlags)}${variables}`);
    return;
  }
  await runProcess(operator, parsed(args, environment, given));
}

function parsed(
  args: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
  given: RunOptions,
): RunOptions {
  try {
    return optionsFromArgs(args, environment, given);
  } catch (error) {
    if (error instanceof Error) explainWhenUncaught(error);
    throw error;
  }
}

const variables = `
Environment:
  WATCH_NAMESPACE                            namespaces to watch, separated by commas; empty: all
  ENABLE_WEBHOOKS                            "false" serves no webhooks, for a local run
  LOG_LEVEL                                  as --log-level
  KUBECONFIG                                 kubeconfig files, as kubectl
`;
