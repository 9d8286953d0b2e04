import { writeFileSync } from "node:fs";
import { adoptData } from "./adopt-data.js";
import { fetchSnapshot } from "./fetch-snapshot.js";
import type { Program, ProgramContext } from "./program.js";
import { saveSnapshot } from "./save-snapshot.js";

const programs: Readonly<Record<string, Program>> = {
  "save-snapshot": saveSnapshot,
  "fetch-snapshot": fetchSnapshot,
  "adopt-data": adoptData,
};

/** A kubelet reads it into the status of the Pod, up to 4,096 bytes. */
const terminationLog = "/dev/termination-log";

/**
 * Runs the program that the first argument names, in a Pod that the operator has created. Returns its exit code, or undefined if it names none: then the
 * arguments are those of the operator.
 */
export async function runProgram(args: readonly string[], context: ProgramContext): Promise<number | undefined> {
  const program = programs[args[0] ?? ""];
  if (program === undefined) return undefined;
  // The first process of a container ignores a signal that it does not handle.
  const deleted = new AbortController();
  const onDeletion = (): void => deleted.abort(new Error("The Pod is being deleted"));
  process.once("SIGTERM", onDeletion);
  const signal = AbortSignal.any([context.signal, deleted.signal]);
  const { exitCode, text } = await program(args.slice(1), { ...context, signal }).then(
    (report) => ({ exitCode: 0, text: report }),
    (error: unknown) => ({ exitCode: 1, text: error instanceof Error ? error.message : String(error) }),
  );
  process.off("SIGTERM", onDeletion);
  process.stdout.write(`${text}\n`);
  try {
    writeFileSync(context.environment["TERMINATION_LOG"] ?? terminationLog, text.slice(0, 4_000));
  } catch {
    // Not in a Pod: the output has it.
  }
  return exitCode;
}
