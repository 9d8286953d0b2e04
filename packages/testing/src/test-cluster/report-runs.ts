import type { TestRunner } from "./test-runner.js";

/** How long printing may take. */
const timeoutMs = 10_000;

/** Prints `describe()` when the current test fails, after its cluster was disposed. Nothing without a runner, and for a cluster that several tests share. */
export function reportWhenFailing(runner: TestRunner | undefined, describe: () => string): void {
  // A runner may keep its callbacks until the end of the file, and with them the cluster.
  let describeOnce: (() => string) | undefined = describe;
  try {
    runner?.onTestEnd(async (hasFailed) => {
      const runs = hasFailed ? describeOnce?.() : undefined;
      describeOnce = undefined;
      if (runs) process.stderr.write(`${runs}\n`);
    }, timeoutMs);
  } catch {
    // Not within a test.
  }
}
