/** The part of a test runner that reports how the current test ended. */
export interface TestRunner {
  /**
   * Registers a callback for the end of the current test, which the runner awaits for at most `timeoutMs`. Throws outside of a test: for a cluster that
   * several tests share.
   */
  onTestEnd(callback: (hasFailed: boolean) => Promise<void>, timeoutMs: number): void;
}

/** As vitest exports it. */
interface Vitest {
  onTestFinished(
    callback: (context: { readonly task: { readonly result?: { readonly state?: string } } }) => Promise<void>,
    timeoutMs: number,
  ): void;
}

/** Vitest or node:test, if the test runs in it. */
export async function currentRunner(
  env: Readonly<Record<string, string | undefined>>,
): Promise<TestRunner | undefined> {
  if (env["VITEST"] !== undefined) {
    // Not a dependency: it is the copy that runs the test.
    const name: string = "vitest";
    const vitest = (await import(name).catch(() => undefined)) as Vitest | undefined;
    return vitest && vitestRunner(vitest);
  }
  // Imported only under its runner: elsewhere a hook would start one.
  if (env["NODE_TEST_CONTEXT"] === undefined) return undefined;
  const { after } = await import("node:test");
  return {
    onTestEnd: (callback, timeout) => {
      // A suite's context has no `passed`.
      after((context: object) => callback("passed" in context && context.passed === false), { timeout });
    },
  };
}

function vitestRunner({ onTestFinished }: Vitest): TestRunner {
  return {
    onTestEnd: (callback, timeoutMs) =>
      onTestFinished(({ task }) => callback(task.result?.state === "fail"), timeoutMs),
  };
}
