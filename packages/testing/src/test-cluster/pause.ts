import { existsSync } from "node:fs";
import type { Clock } from "@kubewright/core/clock";
import { type Duration, durationMs } from "@kubewright/core/meta";
import type { RunningOperator } from "kubewright";
import type { ServedCluster } from "./backend.js";
import type { TestRunner } from "./test-runner.js";

/** What a pause needs of a test cluster. */
interface Kept extends AsyncDisposable {
  readonly namespace: string;
  readonly clock: Clock;
  readonly runningOperators: ReadonlyMap<string, RunningOperator>;
  settle(...args: never[]): Promise<void>;
  advance(...args: never[]): Promise<void>;
  listen(): Promise<ServedCluster>;
}

/** How a cluster is kept. */
export interface PauseOptions {
  /** At most so long, in real time. */
  readonly ms: number;
  /** Reports the end of the test; undefined where none is known. */
  readonly runner: TestRunner | undefined;
  /** The runs of the test's objects, to be printed. @default none */
  readonly describeRuns?: () => string;
  /** @default standard error */
  readonly print?: (text: string) => void;
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
 * Keeps the cluster of a failing test, and prints its runs, a kubeconfig and how to continue.
 *
 * With a runner, disposing the cluster waits for the end of the test, which decides. Without one only the rejections of `settle` and `advance` count as
 * failures, because an assertion is not visible to the cluster.
 */
export function keepWhenFailing(cluster: Kept, options: PauseOptions): void {
  const close = cluster[Symbol.asyncDispose].bind(cluster);
  let hasRejected = false;
  const end = async (hasFailed: boolean): Promise<void> => {
    if (hasFailed) await pause(cluster, options);
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
  const isReported = endsWithTest(options.runner, end, options.ms + 30_000);
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
    runner?.onTestEnd(end, timeoutMs);
    return runner !== undefined;
  } catch {
    // Not within a test: a cluster that several tests share.
    return false;
  }
}

async function pause(
  cluster: Kept,
  { ms, describeRuns = () => "", print = (text) => void process.stderr.write(text) }: PauseOptions,
): Promise<void> {
  const { kubeconfig } = await cluster.listen();
  const failing = [...cluster.runningOperators.values()].flatMap((running) => running.failing());
  print(
    [
      "",
      describeRuns(),
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
