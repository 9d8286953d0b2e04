import { isOperatorError } from "@kubewright/core/errors";
import type { AssembledOperator } from "./assemble-operator.js";
import { type RunOptions, runOperator } from "./run-operator.js";

const explained = new WeakSet<Error>();
let isListening = false;

/**
 * Runs an operator as a process. When that fails and the program does not catch the error, Node prints the message alone, without stack and source
 * line, and exits with 1: `main.ts` needs no error handling. With the log level "debug", and for errors that are not the framework's, it prints the
 * stack.
 */
export async function runProcess(operator: AssembledOperator, options: RunOptions = {}): Promise<void> {
  try {
    await runOperator(operator, options);
  } catch (error) {
    if (isOperatorError(error) && options.logLevel !== "debug") explainWhenUncaught(error);
    throw error;
  }
}

/** Prints an error as one sentence if it is uncaught. */
export function explainWhenUncaught(error: Error): void {
  explained.add(error);
  if (isListening) return;
  isListening = true;
  // The monitor changes nothing for other errors, unlike a listener of "uncaughtException".
  process.on("uncaughtExceptionMonitor", (uncaught: unknown) => {
    if (!(uncaught instanceof Error) || !explained.has(uncaught)) return;
    if (process.listenerCount("uncaughtException") > 0) return;
    process.stderr.write(`error: ${uncaught.message}\n`);
    process.exit(1);
  });
}
