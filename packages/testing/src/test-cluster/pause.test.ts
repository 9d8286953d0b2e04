import { rm } from "node:fs/promises";
import { controller, createClient, operator } from "kubewright";
import { ConfigMap } from "kubewright/k8s/core/v1";
import { HttpsTransport, loadConnection } from "kubewright/transport";
import { expect, test } from "vitest";
import { testCluster } from "./index.js";
import { keepWhenFailing, pauseMsOf } from "./pause.js";
import type { TestRunner } from "./test-runner.js";

const failing = operator({
  name: "failing",
  controllers: [
    controller(ConfigMap, {
      select: { labels: { fails: "yes" } },
      reconcile: () => {
        throw new Error("broken");
      },
    }),
  ],
});

// With KUBEWRIGHT_PAUSE the clusters of these tests are kept already.
const isPaused = pauseMsOf(process.env) > 0;

/** A runner whose test ends when `finish` is called. */
function fakeRunner() {
  let callback: Parameters<TestRunner["onTestEnd"]>[0] | undefined;
  const runner: TestRunner = {
    onTestEnd(one) {
      callback = one;
    },
  };
  return { runner, finish: (hasFailed: boolean) => callback?.(hasFailed) };
}

test("KUBEWRIGHT_PAUSE is a switch or a duration, and has no effect in CI", () => {
  expect(pauseMsOf({})).toBe(0);
  expect(pauseMsOf({ KUBEWRIGHT_PAUSE: "0" })).toBe(0);
  expect(pauseMsOf({ KUBEWRIGHT_PAUSE: "1" })).toBe(600_000);
  expect(pauseMsOf({ KUBEWRIGHT_PAUSE: "90s", CI: "false" })).toBe(90_000);
  expect(pauseMsOf({ KUBEWRIGHT_PAUSE: "1", CI: "true" })).toBe(0);
  expect(() => pauseMsOf({ KUBEWRIGHT_PAUSE: "long" })).toThrow("KUBEWRIGHT_PAUSE");
});

test.skipIf(isPaused)("a failing test keeps its cluster for kubectl until the kubeconfig is removed", async () => {
  const cluster = await testCluster(failing);
  const { runner, finish } = fakeRunner();
  let printed = (_: string): void => {};
  const output = new Promise<string>((resolve) => {
    printed = resolve;
  });
  const describeRuns = (): string => "The last runs";
  keepWhenFailing(cluster, { ms: 60_000, runner, describeRuns, print: (text) => printed(text) });
  await cluster.create(ConfigMap, { metadata: { name: "one", labels: { fails: "yes" } } });
  await expect(cluster.settle()).rejects.toThrow("broken");
  await cluster[Symbol.asyncDispose](); // what `await using` does, before the runner knows that the test fails
  const ended = finish(true);
  const text = await output;
  expect(text).toContain('fails for "default/one": broken');
  expect(text).toContain("The last runs");
  const kubeconfig = /rm (.*)/.exec(text)?.[1] ?? "";
  const transport = new HttpsTransport(await loadConnection({ kubeconfig }), { clock: cluster.clock });
  expect((await createClient(transport).get(ConfigMap, { namespace: "default", name: "one" })).metadata.name).toBe(
    "one",
  );
  await transport.close();
  await rm(kubeconfig);
  await ended;
  expect(cluster.running).toBeUndefined();
});

test.skipIf(isPaused)("a passing test closes its cluster at its end without a pause", async () => {
  const cluster = await testCluster(failing);
  const { runner, finish } = fakeRunner();
  keepWhenFailing(cluster, { ms: 60_000, runner, print: expect.unreachable });
  await cluster[Symbol.asyncDispose]();
  expect(cluster.running).toBeDefined();
  await finish(false);
  expect(cluster.running).toBeUndefined();
});

test("without a runner the cluster is kept after a rejected settle, for a bounded time", async () => {
  const cluster = await testCluster(failing);
  let text = "";
  const print = (printed: string): void => {
    text += printed;
  };
  keepWhenFailing(cluster, { ms: 1, runner: undefined, print });
  await cluster.create(ConfigMap, { metadata: { name: "one", labels: { fails: "yes" } } });
  await expect(cluster.settle()).rejects.toThrow("broken");
  await cluster[Symbol.asyncDispose]();
  expect(text).toContain("kubectl --kubeconfig");
});
