import { isOperatorError } from "@kubewright/core/errors";
import { expect, test } from "vitest";
import { startWorld } from "../../test/embedded-world.js";
import { ConfigMap } from "../k8s/core/v1.gen.js";
import { waitFor } from "./index.js";

const turns = async (): Promise<void> => {
  for (let turn = 0; turn < 50; turn++) await new Promise((resolve) => setImmediate(resolve));
};

test("waitFor resolves when the condition holds: creation, change and deletion", async () => {
  await using world = await startWorld();
  const { client, clock } = world;
  const before = clock.pendingTimers;
  const how = { timeout: "1m", clock } as const;
  const seen: unknown[] = [];
  const isReady = waitFor(client, ConfigMap, "a", {
    ...how,
    until: (found) => {
      seen.push(found?.data?.["ready"]);
      return found?.data?.["ready"] === "yes";
    },
  });
  await turns();
  await client.create(ConfigMap, { metadata: { name: "other" }, data: { ready: "yes" } });
  await client.create(ConfigMap, { metadata: { name: "a" }, data: { ready: "no" } });
  await turns();
  await client.patch(ConfigMap, "a", { merge: { data: { ready: "yes" } } });
  const ready = await isReady;
  expect(ready?.metadata.name).toBe("a");
  expect(Object.isFrozen(ready)).toBe(true);
  expect(seen).toEqual([undefined, "no", "yes"]);
  const isGone = waitFor(client, ConfigMap, "a", { ...how, until: (found) => found === undefined });
  await turns();
  await client.delete(ConfigMap, "a");
  expect(await isGone).toBeUndefined();
  await turns();
  expect(clock.pendingTimers).toBe(before);
});

test("waitFor rejects after its timeout, on abort and when the condition throws, and leaves nothing behind", async () => {
  await using world = await startWorld();
  const { client, clock } = world;
  const before = clock.pendingTimers;
  const late = waitFor(client, ConfigMap, "a", { until: () => false, timeout: "1m", clock });
  await turns();
  clock.advance(60_000);
  await expect(late).rejects.toSatisfy((error) => isOperatorError(error) && error.code === "WAIT_TIMEOUT");
  const abort = new AbortController();
  const aborted = waitFor(client, ConfigMap, "a", { until: () => false, timeout: "1m", clock, signal: abort.signal });
  abort.abort(new Error("enough"));
  await expect(aborted).rejects.toThrow("enough");
  const failing = waitFor(client, ConfigMap, "a", {
    until: () => {
      throw new Error("bad condition");
    },
    timeout: "1m",
    clock,
  });
  await expect(failing).rejects.toThrow("bad condition");
  await turns();
  expect(clock.pendingTimers).toBe(before);
});
