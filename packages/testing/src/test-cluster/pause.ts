import { existsSync } from "node:fs";
import type { Clock } from "@kubewright/core/clock";
import { type Duration, durationMs } from "@kubewright/core/meta";
import type { RunningOperator } from "kubewright";
import type { ServedCluster } from "./backend.js";

/** What a pause needs of a test cluster. */
interface Kept extends AsyncDisposable {
  readonly namespace: string;
  readonly clock: Clock;
  readonly runningOperators: ReadonlyMap<string, RunningOperator>;
  settle(...args: never[]): Promise<void>;
  advance(...args: never[]): Promise<void>;
  listen(): Promise<ServedCluster>;
}

/** The part of a test runner that reports how the current test ended. */
export interface TestRunner {
  /** Registers a callback for the end of the current test. Throws outside of one. */
  onTestFinished(
    callback: (context: { readonly task: { readonly result?: { readonly state?: string } } }) => Promise<void>,
    timeoutMs: number,
  ): void;
}

/** How often a paused test looks whether it should continue. */
const pollMs = 100;

/**
 * How long the cluster of a failing test is kept, from KUBEWRIGHT_PAUSE: `1` for 10 minutes, or a duration. 0: not at all, as in CI, where a test must
 * never wait for a person.
 */
export function pauseMsOf(env: Readonly<Record<string, string | undefined>>): number {
  const { KUBEWRIGHT_PAUSE: value = "", CI = "" } = env;
  const isOff = (setting: string): boolean => ["", "0", "false"].includes(setting);
  if (isOff(value) || !isOff(CI)) return 0;
  // It rejects what is no duration, with the name of the variable.
  return durationMs("KUBEWRIGHT_PAUSE", value === "1" || value === "true" ? "10m" : (value as Duration));
}

/**
 * Keeps the cluster of a failing test for at most `ms` of real time, and prints a kubeconfig and how to continue.
 *
 * With a runner, disposing the cluster waits for the end of the test, which decides. Without one only the rejections of `settle` and `advance` count as
 * failures, because an assertion is not visible to the cluster.
 */
export function keepWhenFailing(
  cluster: Kept,
  ms: number,
  runner: TestRunner | undefined,
  print: (text: string) => void = (text) => void process.stderr.write(text),
): void {
  const close = cluster[Symbol.asyncDispose].bind(cluster);
  let hasRejected = false;
  const end = async (hasFailed: boolean): Promise<void> => {
    if (hasFailed) await pause(cluster, ms, print);
    await close();
  };
  const noticing = <A extends unknown[]>(call: (...args: A) => Promise<void>) => {
    return async (...args: A): Promise<void> => {
      try {
        await call(...args);
      } catch (error) {
        hasRejected = true;
        throw error;
      }
    };
  };
  const isReported = endsWithTest(runner, end, ms + 30_000);
  Object.defineProperties(cluster, {
    settle: { value: noticing(cluster.settle) },
    advance: { value: noticing(cluster.advance) },
    [Symbol.asyncDispose]: { value: () => (isReported ? Promise.resolve() : end(hasRejected)) },
  });
}

/** Registers the end of the current test; false where no runner reports it. */
function endsWithTest(
  runner: TestRunner | undefined,
  end: (hasFailed: boolean) => Promise<void>,
  timeoutMs: number,
): boolean {
  try {
    runner?.onTestFinished(({ task }) => end(task.result?.state === "fail"), timeoutMs);
    return runner !== undefined;
  } catch {
    // Not within a test: a cluster that several tests share.
    return false;
  }
}

async function pause(cluster: Kept, ms: number, print: (text: string) => void): Promise<void> {
  const { kubeconfig } = await cluster.listen();
  const failing = [...cluster.runningOperators.values()].flatMap((running) => running.failing());
  print(
    [
      "",
      `The test failed. Its cluster is kept for ${ms / 1_000} s, at ${new Date(cluster.clock.now()).toISOString()} of virtual time:`,
      `  kubectl --kubeconfig ${kubeconfig} --namespace ${cluster.namespace} get all`,
      ...failing.map(
        ({ controller, key, error }) => `  controller "${controller}" fails for "${key}": ${error.message}`,
      ),
      "The operator runs, and sees changes; timers do not fire. To continue with the tests:",
      `  rm ${kubeconfig}`,
      "",
    ].join("\n"),
  );
  const deadlineMs = performance.now() + ms;
  while (existsSync(kubeconfig) && performance.now() < deadlineMs)
    await new Promise((resolve) => setTimeout(resolve, pollMs));
}

/** Vitest, if the test runs in it. */
export async function currentRunner(
  env: Readonly<Record<string, string | undefined>>,
): Promise<TestRunner | undefined> {
  if (env["VITEST"] === undefined) return undefined;
  // Not a dependency: it is the copy that runs the test.
  const name: string = "vitest";
  return (await import(name).catch(() => undefined)) as TestRunner | undefined;
}
