import { getEventListeners } from "node:events";
import { startCluster } from "@kubewright/cluster";
import { FakeClock } from "@kubewright/core/clock";
import type { Transport } from "@kubewright/core/transport";
import { expect, test } from "vitest";
import { shop, Website } from "../../test/website.js";
import { createClient } from "../client/index.js";
import { crdOf } from "../definition/index.js";
import { CustomResourceDefinition } from "../k8s/apiextensions/v1.gen.js";
import { ConfigMap, Namespace, Secret } from "../k8s/core/v1.gen.js";
import { createMetrics } from "../metrics/index.js";
import { controller } from "../reconcile/index.js";
import { operator } from "./index.js";

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test("a controller can be added to and removed from a running operator; kinds that only it watched are no longer watched", async () => {
  const cluster = await startCluster();
  const client = createClient(cluster.transport);
  const metrics = await createMetrics();
  const first = controller(Namespace, { name: "first", reconcile: () => {} });
  const running = await operator({ name: "changing", controllers: [first] }).start({
    transport: cluster.transport,
    metrics,
  });
  const settle = async (): Promise<void> => {
    for (let quiet = 0; quiet < 3; quiet = cluster.idle && running.idle ? quiet + 1 : 0) await turn();
  };
  const copies = controller(Secret, {
    name: "copies",
    owns: [ConfigMap],
    reconcile: async ({ object, apply }) => {
      await apply(ConfigMap, { metadata: { name: object.metadata.name }, data: { of: object.metadata.name } });
    },
  });
  await client.create(Secret, { metadata: { name: "before" } });
  await running.add(copies);
  await client.create(Secret, { metadata: { name: "after" } });
  await settle();
  for (const name of ["before", "after"]) expect((await client.get(ConfigMap, name)).data).toEqual({ of: name });
  await expect(running.add(copies)).rejects.toThrow("the name is taken");
  expect(await metrics.text()).toContain(`workqueue_depth{name="copies"`);
  expect(await metrics.text()).toContain(`kubewright_cache_objects{kind="/v1/Secret"} 2`);

  await running.remove("copies");
  await running.remove("copies");
  await client.create(Secret, { metadata: { name: "unseen" } });
  await settle();
  expect(await client.find(ConfigMap, "unseen")).toBeUndefined();
  const text = await metrics.text();
  expect(text).not.toContain(`workqueue_depth{name="copies"`);
  expect(text).not.toContain("/v1/Secret");
  expect(running.whyNotReady()).toBeUndefined();

  await running.add(copies);
  await settle();
  expect(await client.find(ConfigMap, "unseen")).toBeDefined();
  await running.stop();
  await expect(running.add(copies)).rejects.toThrow("it has stopped");
  metrics.close();
  await cluster.close();
});

test("a controller can be replaced: the new one reconciles every object, and caches that both read are not listed again", async () => {
  const cluster = await startCluster();
  const client = createClient(cluster.transport);
  let lists = 0;
  const counting: Transport = {
    ...cluster.transport,
    send: (request) => cluster.transport.send(request),
    stream: (request) => {
      if (request.path.startsWith("/api/v1/secrets")) lists += 1;
      return cluster.transport.stream(request);
    },
  };
  const seen: string[] = [];
  const version = (text: string) =>
    controller(Secret, {
      name: "copies",
      owns: [ConfigMap],
      reconcile: async ({ object, apply }) => {
        await apply(ConfigMap, { metadata: { name: object.metadata.name }, data: { text } });
      },
    });
  const running = await operator({ name: "changing", controllers: [version("one")] }).start({
    transport: counting,
    onRun: ({ key, outcome }) => seen.push(`${key} ${outcome.kind}`),
  });
  const settle = async (): Promise<void> => {
    for (let quiet = 0; quiet < 3; quiet = cluster.idle && running.idle ? quiet + 1 : 0) await turn();
  };
  await client.create(Secret, { metadata: { name: "a" } });
  await settle();
  const listsBefore = lists;
  expect(listsBefore).toBeGreaterThan(0);
  expect(seen).toContain("default/a done");

  seen.length = 0;
  await running.replace(version("two"));
  await settle();
  expect((await client.get(ConfigMap, "a")).data).toEqual({ text: "two" });
  expect(seen).toContain("default/a done");
  expect(lists).toBe(listsBefore);
  const other = controller(Secret, { name: "other", reconcile: () => {} });
  await expect(running.replace(other)).rejects.toThrow(
    'Cannot replace controller "other" in operator "changing": it has no such controller',
  );
  await running.stop();
  await cluster.close();
});

test("a controller that is added prunes children of a kind that another controller already reads", async () => {
  const cluster = await startCluster();
  const client = createClient(cluster.transport);
  const reader = controller(Namespace, { name: "reader", uses: [ConfigMap], reconcile: () => {} });
  const running = await operator({ name: "changing", controllers: [reader] }).start({ transport: cluster.transport });
  const settle = async (): Promise<void> => {
    for (let quiet = 0; quiet < 3; quiet = cluster.idle && running.idle ? quiet + 1 : 0) await turn();
  };
  const copies = controller(Secret, {
    name: "copies",
    owns: [ConfigMap],
    reconcile: async ({ object, apply, prune }) => {
      const { name } = object.metadata;
      for (const key of Object.keys(object.data ?? {}))
        await apply(ConfigMap, { metadata: { name: `${name}-${key}` } });
      await prune(ConfigMap);
    },
  });
  await running.add(copies);
  await client.create(Secret, { metadata: { name: "two" }, stringData: { a: "x", b: "y" } });
  await settle();
  expect(await client.find(ConfigMap, "two-b")).toBeDefined();
  // Removed and added again, so that the children are in the cache of the other controller before they have an owner there.
  await running.remove("copies");
  await client.patch(Secret, "two", { merge: { data: { b: null } } });
  await running.add(copies);
  await settle();
  expect(await client.find(ConfigMap, "two-a")).toBeDefined();
  expect(await client.find(ConfigMap, "two-b")).toBeUndefined();
  await running.stop();
  await cluster.close();
});

test("start leaves no listener on its signal, neither after the start nor after the stop", async () => {
  const cluster = await startCluster();
  const { signal } = new AbortController();
  const first = controller(Namespace, { name: "first", reconcile: () => {} });
  const running = await operator({ name: "listening", controllers: [first] }).start({
    transport: cluster.transport,
    signal,
  });
  expect(getEventListeners(signal, "abort")).toEqual([]);
  await running.stop();
  expect(getEventListeners(signal, "abort")).toEqual([]);
  await cluster.close();
});

test("a watch that is silent makes the operator not ready after 90 s, until another one is open", async () => {
  const clock = new FakeClock();
  const cluster = await startCluster({ clock });
  let cut = false;
  // A half-open connection: what was sent before is the last that arrives, and nothing can be opened.
  const transport: Transport = {
    send: (request) => cluster.transport.send(request),
    stream: async (request) => {
      const aborted = new Promise<never>((_, reject) => {
        request.signal?.addEventListener("abort", () => reject(request.signal?.reason), { once: true });
      });
      aborted.catch(() => {});
      if (cut) return aborted;
      const stream = await cluster.transport.stream(request);
      if (stream.kind !== "stream") return stream;
      const source = stream.items[Symbol.asyncIterator]();
      const next = async () => {
        const item = await Promise.race([source.next(), aborted]);
        return cut ? aborted : item;
      };
      return { ...stream, items: { [Symbol.asyncIterator]: () => ({ next }) } };
    },
    close: () => cluster.transport.close(),
  };
  const first = controller(Namespace, { name: "first", reconcile: () => {} });
  const running = await operator({ name: "silent", controllers: [first] }).start({
    transport,
    clock,
    random: () => 0.5,
  });
  const pass = async (ms: number): Promise<void> => {
    clock.advance(ms);
    for (let count = 0; count < 50; count++) await turn();
  };
  cut = true;
  await pass(89_000);
  expect(running.whyNotReady()).toBeUndefined();
  await pass(1_000);
  expect(running.whyNotReady()).toBe(
    "The cache of Namespace is not up to date: Cannot read Namespace objects: the server sent nothing for 90 s",
  );
  cut = false;
  for (let round = 0; round < 8; round++) await pass(30_000);
  expect(running.whyNotReady()).toBeUndefined();
  await running.stop();
  await cluster.close();
});

test("a kind that is no longer served makes the operator unready; the controller resumes when the kind is served again", async () => {
  const clock = new FakeClock();
  const cluster = await startCluster({ clock });
  const client = createClient(cluster.transport);
  await client.create(CustomResourceDefinition, crdOf(Website));
  const seen = new Set<string>();
  const website = controller(Website, { reconcile: ({ object }) => void seen.add(object.metadata.name) });
  const running = await operator({ name: "vanishing", controllers: [website] }).start({
    transport: cluster.transport,
    clock,
    random: () => 0.5,
  });
  const turns = async (): Promise<void> => {
    for (let count = 0; count < 50; count++) await turn();
  };
  await client.create(Website, shop);
  await turns();
  await client.delete(CustomResourceDefinition, "websites.web.example.com");
  for (let round = 0; round < 5; round++) {
    clock.advance(10_000);
    await turns();
  }
  expect(running.whyNotReady()).toMatch(/^The cache of Website is not up to date/);

  await client.create(CustomResourceDefinition, crdOf(Website));
  for (let round = 0; round < 10; round++) {
    clock.advance(10_000);
    await turns();
  }
  expect(running.whyNotReady()).toBeUndefined();
  await client.create(Website, { ...shop, metadata: { name: "again" } });
  await turns();
  expect([...seen]).toEqual(["shop", "again"]);
  await running.stop();
  await cluster.close();
});

test("with `wait`, a controller whose kind is not served yet starts when it is; the others work, and the operator is ready", async () => {
  const clock = new FakeClock();
  const cluster = await startCluster({ clock });
  const client = createClient(cluster.transport);
  const seen = new Set<string>();
  const website = controller(Website, { reconcile: ({ object }) => void seen.add(object.metadata.name) });
  const others = controller(Namespace, { reconcile: ({ object }) => void seen.add(object.metadata.name) });
  const both = operator({ name: "waiting", controllers: [website, others] });
  const options = { transport: cluster.transport, clock, random: () => 0.5 };
  await expect(both.start(options)).rejects.toThrow(`does not serve Website of "web.example.com/v1"`);
  const running = await both.start({ ...options, missingKinds: "wait" });
  const pass = async (): Promise<void> => {
    for (let round = 0; round < 10; round++) {
      clock.advance(10_000);
      for (let count = 0; count < 50; count++) await turn();
    }
  };
  await pass();
  expect(seen.has("default")).toBe(true);
  expect([running.synced, running.whyNotReady()]).toEqual([false, undefined]);

  await client.create(CustomResourceDefinition, crdOf(Website));
  await client.create(Website, shop);
  await pass();
  expect(seen.has("shop")).toBe(true);
  expect([running.synced, running.whyNotReady()]).toEqual([true, undefined]);
  await running.stop();

  await client.delete(CustomResourceDefinition, "websites.web.example.com");
  const never = await both.start({ ...options, missingKinds: "wait" });
  await never.stop();
  await cluster.close();
});
