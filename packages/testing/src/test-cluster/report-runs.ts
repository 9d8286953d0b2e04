import type { TestRunner } from "./test-runner.js";

/** How long printing may take. */
const timeoutMs = 10_000;

/** Prints `describe()` when the current test fails, after its cluster was disposed. Nothing without a runner, and for a cluster that several tests share. */
export function reportWhenFailing(runner: TestRunner | undefined, describe: () => string): void {
  try {
    runner?.onTestEnd(async (hasFailed) => {
      const runs = hasFailed ? describe() : "";
      if (runs !== "") process.stderr.write(`${runs}\n`);
    }, timeoutMs);
  } catch {
    // Not within a test.
  }
}
