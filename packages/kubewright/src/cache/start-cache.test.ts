import { getEventListeners } from "node:events";
import { isForbidden, isNotFound } from "@kubewright/core/errors";
import { expect, test } from "vitest";
import { startWorld } from "../../test/embedded-world.js";
import { ScriptedTransport } from "../../test/scripted-transport.js";
import { createClient } from "../client/index.js";
import { ConfigMap, Namespace, Secret } from "../k8s/core/v1.gen.js";
import { select, startCache } from "./index.js";

const turns = async (): Promise<void> => {
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
};

test("a cache reads without requests, sees its own writes, and follows those of others", async () => {
  await using world = await startWorld();
  const { client, clock } = world;
  await client.create(ConfigMap, { metadata: { name: "a", labels: { app: "web" } }, data: { mode: "slow" } });
  await client.create(Secret, { metadata: { name: "kept", labels: { app: "web" } } });
  await client.create(Secret, { metadata: { name: "other" } });
  const kinds = [ConfigMap, select(Secret, { labels: { app: "web" } })] as const;
  await using cache = await startCache(client, { kinds, clock });
  expect((await cache.get(ConfigMap, "a")).data).toEqual({ mode: "slow" });
  expect(await cache.find(Secret, "other")).toBeUndefined();
  expect((await cache.list(Secret)).map(({ metadata }) => metadata.name)).toEqual(["kept"]);
  expect(Object.isFrozen(await cache.get(ConfigMap, "a"))).toBe(true);

  await cache.patch(ConfigMap, "a", { merge: { data: { mode: "fast" } } });
  expect((await cache.get(ConfigMap, "a")).data).toEqual({ mode: "fast" });
  await client.create(ConfigMap, { metadata: { name: "b", labels: { app: "web" } } });
  await turns();
  expect((await cache.list(ConfigMap, { labels: { app: "web" } })).map(({ metadata }) => metadata.name)).toEqual([
    "a",
    "b",
  ]);
  await cache.delete(ConfigMap, "a");
  await expect(cache.get(ConfigMap, "a")).rejects.toSatisfy(isNotFound);
  expect(cache.lastError).toBeUndefined();
  // @ts-expect-error: Namespace is not cached
  await expect(cache.get(Namespace, "default")).rejects.toThrow("Cannot read Namespace objects from the cache");
});

test("listeners receive the objects that are there, and then each change, until they are disposed", async () => {
  await using world = await startWorld();
  const { client, clock } = world;
  await client.create(ConfigMap, { metadata: { name: "a", namespace: "default" } });
  await using cache = await startCache(client, { kinds: [ConfigMap], namespace: "default", clock });
  const seen: string[] = [];
  const listening = cache.onChange(ConfigMap, ({ kind, old, new: object }) => {
    seen.push(`${kind} ${(object ?? old)?.metadata.name} ${Object.isFrozen(object ?? old)}`);
    throw new Error("a listener's error affects nothing else");
  });
  await client.patch(ConfigMap, "a", { merge: { data: { mode: "fast" } } });
  await client.delete(ConfigMap, "a");
  await turns();
  expect(seen).toEqual(["added a true", "updated a true", "deleted a true"]);
  listening[Symbol.dispose]();
  await client.create(ConfigMap, { metadata: { name: "b" } });
  await turns();
  expect(seen).toHaveLength(3);
});

test("a start that takes too long or is aborted leaves nothing behind", async () => {
  await using world = await startWorld();
  const { clock } = world;
  const before = clock.pendingTimers;
  const forbidden = { kind: "Status", status: "Failure", reason: "Forbidden", code: 403, message: "no" };
  const transport = new ScriptedTransport(() => ({ status: 403, body: forbidden }));
  transport.respondToWatch = () => ({ status: 403, body: forbidden });
  const client = createClient(transport);
  const starting = startCache(client, { kinds: [ConfigMap], clock, syncTimeout: "5s" });
  const failure = starting.then(
    () => undefined,
    (error: Error) => error,
  );
  await turns();
  clock.advance(5_000);
  const error = await failure;
  expect(error?.message).toBe("Cannot start the cache: the list of ConfigMap has not arrived within 5 s");
  expect(error?.cause).toSatisfy(isForbidden);
  const abort = new AbortController();
  const aborted = startCache(client, { kinds: [ConfigMap], clock, signal: abort.signal });
  await turns();
  abort.abort(new Error("no longer needed"));
  await expect(aborted).rejects.toThrow("no longer needed");
  expect(getEventListeners(abort.signal, "abort")).toEqual([]);
  expect(clock.pendingTimers).toBe(before);
  await expect(startCache(client, { kinds: [ConfigMap, ConfigMap], clock })).rejects.toThrow("in `kinds` twice");
});
