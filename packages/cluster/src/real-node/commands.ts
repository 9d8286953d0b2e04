import { execFile } from "node:child_process";
import { promisify } from "node:util";

const execute = promisify(execFile);

/** Runs a system command and returns its output. Rejects with an error that has the command and what it wrote. */
export async function run(command: string, ...args: readonly string[]): Promise<string> {
  try {
    return (await execute(command, args, { maxBuffer: 16 * 1024 * 1024 })).stdout;
  } catch (error) {
    const { stderr = "" } = error as { stderr?: string };
    const why = stderr.trim() || (error instanceof Error ? error.message : String(error));
    throw new Error(`"${[command, ...args].join(" ")}" failed: ${why}`, { cause: error });
  }
}

/** Runs a command whose failure does not matter: cleaning up what may not be there. */
export async function attempt(command: string, ...args: readonly string[]): Promise<void> {
  await run(command, ...args).catch(() => undefined);
}
