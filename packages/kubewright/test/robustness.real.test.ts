/**
 * An operator on a real kube-apiserver with dropped connections, a killed server and a compacted history: no event is lost, no key has two workers, and
 * nothing leaks.
 */
import { readFile } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";
import { systemClock } from "@kubewright/core/clock";
import { isConflict, isNotFound } from "@kubewright/core/errors";
import type { Transport } from "@kubewright/core/transport";
import { type ControlPlane, startControlPlane } from "@kubewright/testing/control-plane";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Client, createClient } from "../src/client/index.js";
import { ConfigMap, Secret } from "../src/k8s/core/v1.gen.js";
import { operator, type RunningOperator } from "../src/manager/index.js";
import { createMetrics, type OperatorMetrics } from "../src/metrics/index.js";
import { controller } from "../src/reconcile/index.js";
import type { ShardingOptions } from "../src/sharding/index.js";
import { HttpsTransport, parseKubeconfig } from "../src/transport/index.js";
import { CuttingProxy } from "./cutting-proxy.js";

let plane: ControlPlane;
let proxy: CuttingProxy;
let direct: HttpsTransport;
let client: Client;
const opened: HttpsTransport[] = [];

async function connection(port?: number): Promise<HttpsTransport> {
  const file = plane.kubeconfigFile(plane.admin);
  const found = await parseKubeconfig([{ file, text: await readFile(file, "utf8") }]);
  const transport = new HttpsTransport(port === undefined ? found : { ...found, server: `https://127.0.0.1:${port}` }, {
    clock: systemClock,
  });
  opened.push(transport);
  return transport;
}

beforeAll(async () => {
  plane = await startControlPlane();
  proxy = await CuttingProxy.start(Number(new URL(plane.url).port));
  direct = await connection();
  client = createClient(direct);
}, 60_000);

afterAll(async () => {
  for (const transport of opened) await transport.close();
  await proxy?.close();
  await plane?.stop();
});

const until = async (holds: () => boolean | Promise<boolean>, what: string, boundMs = 60_000): Promise<void> => {
  const endMs = performance.now() + boundMs;
  while (!(await holds())) {
    if (performance.now() > endMs) throw new Error(`Not reached: ${what}`);
    await delay(50);
  }
};

/** Retries until the server, which may be down, has accepted it. */
async function persistently<T>(send: () => Promise<T>): Promise<T | undefined> {
  for (;;) {
    try {
      return await send();
    } catch (error) {
      if (isConflict(error) || isNotFound(error)) return undefined;
      await delay(100);
    }
  }
}

interface Run {
  readonly running: RunningOperator;
  /** The maximum number of concurrent workers on one key. */
  readonly most: () => number;
  /** Number of lists, and of watches with sendInitialEvents. */
  readonly fresh: () => number;
  readonly metrics: OperatorMetrics;
}

/** Copies every Secret of the test into a ConfigMap of its name. */
async function startCopying(labels: Record<string, string>, sharding?: ShardingOptions): Promise<Run> {
  const onKey = new Map<string, number>();
  let most = 0;
  const copying = controller(Secret, {
    name: "copying",
    select: { labels },
    owns: [ConfigMap],
    workers: 4,
    reconcile: async ({ object, apply }) => {
      const { name } = object.metadata;
      const now = (onKey.get(name) ?? 0) + 1;
      onKey.set(name, now);
      most = Math.max(most, now);
      try {
        await apply(ConfigMap, { metadata: { name, labels }, data: { copy: object.data?.["v"] ?? "" } });
      } finally {
        onKey.set(name, (onKey.get(name) ?? 1) - 1);
      }
    },
  });
  const over = await connection(proxy.port);
  let fresh = 0;
  const transport: Transport = {
    send: (request) => {
      if (request.method === "GET" && request.path.endsWith("/secrets")) fresh += 1;
      return over.send(request);
    },
    stream: (request) => {
      if (request.path.endsWith("/secrets") && request.query?.["sendInitialEvents"] === "true") fresh += 1;
      return over.stream(request);
    },
    close: async () => {},
  };
  const metrics = await createMetrics();
  const options = { transport, metrics, ...(sharding && { sharding }) };
  const running = await operator({ name: "copying", controllers: [copying] }).start(options);
  return { running, most: () => most, fresh: () => fresh, metrics };
}

const encode = (text: string): string => Buffer.from(text).toString("base64");

/** Whether every Secret with these labels has a ConfigMap with its value. */
async function isCopied(labels: Record<string, string>): Promise<boolean> {
  const desired = new Map<string, string>();
  for await (const { metadata, data } of client.list(Secret, { labels })) desired.set(metadata.name, data?.["v"] ?? "");
  const found = new Map<string, string>();
  for await (const { metadata, data } of client.list(ConfigMap, { labels }))
    found.set(metadata.name, data?.["copy"] ?? "");
  // No garbage collector runs here: copies of deleted Secrets stay.
  return [...desired].every(([name, value]) => found.get(name) === value);
}

test("under load, with dropped connections and a server killed twice, every change is reconciled, with one worker per key", async () => {
  const labels = { test: "load" };
  const { running, most } = await startCopying(labels);
  const names = Array.from({ length: 40 }, (_, index) => `load-${index}`);
  let going = true;
  let writes = 0;
  const writing = (async () => {
    for (let round = 0; going; round++) {
      const name = round % 11 === 10 ? `extra-${round}` : (names[(round * 7) % names.length] ?? "");
      const secret = { metadata: { name, labels }, data: { v: encode(`${round}`) } };
      await persistently(() => client.apply(Secret, secret, { fieldManager: "test", force: true }));
      // A reused name would find the copy of the deleted Secret, because no garbage collector runs here.
      if (name.startsWith("extra")) await persistently(() => client.delete(Secret, name));
      writes += 1;
    }
  })();
  for (let round = 0; round < 20; round++) {
    await delay(200);
    if (round % 2 === 0) proxy.cut();
    else proxy.cutAfter(500 + round * 173);
    if (round === 8 || round === 14) {
      await plane.killApiServer();
      await delay(500);
      await plane.startApiServer();
    }
  }
  going = false;
  await writing;
  expect(writes).toBeGreaterThan(100);
  expect(proxy.cuts).toBeGreaterThan(20);
  proxy.cut();
  await until(() => isCopied(labels), "everything is copied", 60_000);
  await until(() => running.whyNotReady() === undefined, "the operator is ready");
  expect(running.failing()).toEqual([]);
  expect(most()).toBe(1);
  // A later change is still reconciled.
  await client.apply(
    Secret,
    { metadata: { name: "load-0", labels }, data: { v: encode("last") } },
    { fieldManager: "test", force: true },
  );
  await until(
    async () => (await client.get(ConfigMap, "load-0")).data?.["copy"] === encode("last"),
    "the last change",
    10_000,
  );
  await running.stop();
}, 180_000);

test("a resourceVersion that was compacted during an outage causes a relist, which delivers the missed deletes", async () => {
  const labels = { test: "compaction" };
  const { running, most, fresh, metrics } = await startCopying(labels);
  const names = Array.from({ length: 20 }, (_, index) => `compacted-${index}`);
  for (const name of names) await client.create(Secret, { metadata: { name, labels }, data: { v: encode("before") } });
  await until(() => isCopied(labels), "everything is copied");
  const before = fresh();
  proxy.refuse();
  for (const name of names.slice(0, 10)) await client.delete(Secret, name);
  for (const name of names.slice(10)) await client.patch(Secret, name, { merge: { data: { v: encode("after") } } });
  await plane.compact();
  // A restarted server has no earlier versions in its watch cache.
  await plane.killApiServer();
  await plane.startApiServer();
  await plane.compact();
  proxy.accept();
  await until(() => isCopied(labels), "everything is copied", 90_000);
  await until(() => running.whyNotReady() === undefined, "the operator is ready");
  expect(most()).toBe(1);
  expect(running.failing()).toEqual([]);
  expect(fresh()).toBeGreaterThan(before);
  expect(await metrics.text()).toContain('kubewright_cache_objects{kind="/v1/Secret"} 10');
  metrics.close();
  await running.stop();
}, 180_000);

test("replicas own shards; the shards of a replica that disappears are acquired when its lease expires", async () => {
  const labels = { test: "shared" };
  const times = {
    leaseDuration: "6s",
    renewDeadline: "4s",
    retryPeriod: "500ms",
    shards: 8,
    namespace: "default",
  } as const;
  const one = await startCopying(labels, { ...times, identity: "one" });
  const two = await startCopying(labels, { ...times, identity: "two" });
  const names = Array.from({ length: 24 }, (_, index) => `shared-${index}`);
  for (const name of names) await client.create(Secret, { metadata: { name, labels }, data: { v: encode("before") } });
  await until(() => one.running.ownedShards === 4 && two.running.ownedShards === 4, "both own half of the shards");
  await until(() => isCopied(labels), "everything is copied");
  expect(Math.min(one.running.runs, two.running.runs)).toBeGreaterThan(0);
  await two.running.abandon(new Error("Abandoned by the test"));
  for (const name of names) await client.patch(Secret, name, { merge: { data: { v: encode("after") } } });
  await until(() => one.running.ownedShards === 8, "one owns all shards", 20_000);
  await until(() => isCopied(labels), "everything is copied");
  await one.running.stop();
}, 90_000);

test("a stopped operator leaves no connection and no timer", async () => {
  const before = active();
  const { running } = await startCopying({ test: "leaves" });
  for (let round = 0; round < 5; round++) {
    proxy.cut();
    await delay(100);
  }
  await running.stop();
  await opened.pop()?.close();
  await until(() => active() <= before, "as many active resources as before", 10_000);
}, 60_000);

function active(): number {
  return process.getActiveResourcesInfo().filter((name) => /^(TCP|TLS|Timeout)/.test(name)).length;
}
