/** Kinds that are installed and removed, two clusters at once, and event series, on real kube-apiservers. */
import { setTimeout as delay } from "node:timers/promises";
import { systemClock } from "@kubewright/core/clock";
import { type ControlPlane, startControlPlane } from "@kubewright/testing/control-plane";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { type Client, createClient } from "../src/client/index.js";
import { defineResource, ofCluster } from "../src/definition/index.js";
import { CustomResourceDefinition } from "../src/k8s/apiextensions/v1.gen.js";
import { ConfigMap, Secret } from "../src/k8s/core/v1.gen.js";
import { Event } from "../src/k8s/events/v1.gen.js";
import { installCRDs, operator } from "../src/manager/index.js";
import { controller } from "../src/reconcile/index.js";
import { watch } from "../src/route/index.js";
import { EventRecorder } from "../src/status/index.js";
import { HttpsTransport, loadConnection } from "../src/transport/index.js";
import { Warnings } from "./warnings.js";
import { shop, Website } from "./website.js";

interface Plane {
  readonly plane: ControlPlane;
  readonly transport: HttpsTransport;
  readonly client: Client;
}

let home: Plane;
let edge: Plane;

async function start(): Promise<Plane> {
  const plane = await startControlPlane();
  const connection = await loadConnection({ kubeconfig: plane.kubeconfigFile(plane.admin) });
  const transport = new HttpsTransport(connection, { clock: systemClock });
  return { plane, transport, client: createClient(transport) };
}

beforeAll(async () => {
  [home, edge] = await Promise.all([start(), start()]);
}, 90_000);

afterAll(async () => {
  for (const started of [home, edge]) {
    await started?.transport.close();
    await started?.plane.stop();
  }
});

/** Waits until the condition holds. Returns the elapsed time. */
async function until(holds: () => boolean | Promise<boolean>, what: string): Promise<number> {
  const startMs = performance.now();
  while (!(await holds())) {
    if (performance.now() - startMs > 30_000) throw new Error(`Not reached: ${what}`);
    await delay(20);
  }
  return performance.now() - startMs;
}

test("a kind is reconciled each time its CRD is established", async () => {
  const seen = new Set<string>();
  const website = controller(Website, { reconcile: ({ object }) => void seen.add(object.metadata.name) });
  const { client, transport } = home;
  await using running = await operator({ name: "late", controllers: [website] }).start({
    transport,
    missingKinds: "wait",
  });
  // Long enough for the watch backoff to have grown.
  await delay(6_000);
  expect([running.synced, running.whyNotReady()]).toEqual([false, undefined]);
  for (const name of ["first", "second"]) {
    await installCRDs([Website], { client, clock: systemClock, fieldManager: "test" });
    await client.create(Website, { ...shop, metadata: { name } });
    expect(await until(() => seen.has(name), "the object is reconciled")).toBeLessThan(5_000);
    await client.delete(CustomResourceDefinition, "websites.web.example.com");
    const isGone = async () => (await client.find(CustomResourceDefinition, "websites.web.example.com")) === undefined;
    await until(isGone, "the kind is gone");
  }
}, 120_000);

test("a controller of one cluster watches objects of another", async () => {
  const EdgeConfigMap = ofCluster("edge", ConfigMap);
  const copies = controller(Secret, {
    name: "copies",
    select: { labels: { test: "clusters" } },
    owns: [ConfigMap],
    watches: [watch(EdgeConfigMap, { fields: { "metadata.name": "settings" }, to: () => "token" })],
    reconcile: async ({ object, find, apply }) => {
      const settings = await find(EdgeConfigMap, "settings");
      const { name } = object.metadata;
      await apply(ConfigMap, { metadata: { name }, data: { mode: settings?.data?.["mode"] ?? "none" } });
    },
  });
  const clusters = { edge: { transport: edge.transport } };
  await using running = await operator({ name: "two", controllers: [copies] }).start({
    transport: home.transport,
    clusters,
  });
  const mode = async () => (await home.client.find(ConfigMap, "token"))?.data?.["mode"];
  await home.client.create(Secret, { metadata: { name: "token", labels: { test: "clusters" } } });
  await until(async () => (await mode()) === "none", "the first run");
  await edge.client.create(ConfigMap, { metadata: { name: "settings" }, data: { mode: "fast" } });
  await until(async () => (await mode()) === "fast", "the other cluster's change");
  expect(running.failing()).toEqual([]);
}, 60_000);

test("a CRD that is older than the program is reported, and its pruned status field is sent once", async () => {
  const { client, transport } = home;
  const identity = { group: "pruned.example.com", kind: "Memo" } as const;
  const spec = z.object({ text: z.string().optional() });
  const Old = defineResource({
    ...identity,
    versions: { v1: { spec, status: z.object({ seen: z.string().optional() }) } },
  });
  const status = z.object({ seen: z.string().optional(), url: z.string().optional() });
  const Memo = defineResource({ ...identity, versions: { v1: { spec, status } } });
  await installCRDs([Old], { client, clock: systemClock, fieldManager: "test" });
  // The server publishes the schema of a new CRD some time after it serves the kind.
  const openApi = { method: "GET", path: "/openapi/v3/apis/pruned.example.com/v1" } as const;
  const isPublished = async () =>
    JSON.stringify(await client.request(openApi).catch(() => undefined))?.includes("Memo") ?? false;
  await until(isPublished, "the schema is published");
  const runs: string[] = [];
  const memo = controller(Memo, {
    reconcile: ({ object, status }) => {
      runs.push(object.spec.text ?? "");
      status.url = `https://${object.spec.text}`;
    },
  });
  const warnings = new Warnings();
  const started = operator({ name: "pruned", controllers: [memo] });
  await using running = await started.start({ transport, logger: warnings });
  expect(await running.prunedFields()).toEqual([{ kind: "pruned.example.com/v1/Memo", fields: [".status.url"] }]);
  await client.create(Memo, { metadata: { name: "one" }, spec: { text: "0" } });
  for (let index = 1; index <= 5; index++) {
    // Not by their number: a run may repeat when its status write and the patch overlap.
    await until(() => runs.at(-1) === `${index - 1}`, `a run of change ${index - 1}`);
    await client.patch(Memo, "one", { merge: { spec: { text: `${index}` } } });
  }
  await until(() => runs.at(-1) === "5", "the last run");
  const messages = warnings.all.map(({ message }) => message);
  expect(messages.filter((message) => message.includes("field manager"))).toEqual([]);
  expect(messages.filter((message) => message.startsWith("The server drops fields"))).toHaveLength(1);
  // The server warns of an unknown field in each request that has one.
  expect(messages.filter((message) => message === "Warning from the API server")).toHaveLength(1);
}, 60_000);

test("events that differ only in their note are combined to a series, which the server accepts", async () => {
  const { client } = home;
  const warnings: unknown[] = [];
  const logger = {
    debug() {},
    info() {},
    warn: (fields: object) => void warnings.push(fields),
    error() {},
    child: () => logger,
  };
  const clock = systemClock;
  const recorder = new EventRecorder({ client, clock, random: Math.random, controller: "c", instance: "c-1", logger });
  const about = await client.create(ConfigMap, { metadata: { name: "noisy" } });
  for (let index = 1; index <= 12; index++)
    recorder.record(ConfigMap, about, { type: "Warning", reason: "Noisy", note: `attempt ${index}` });
  await recorder.whenWritten();
  const notes: string[] = [];
  for await (const { reason, note, series } of client.list(Event))
    if (reason === "Noisy") notes.push(`${note} ${series?.count ?? 1}`);
  expect(warnings).toEqual([]);
  expect(notes).toHaveLength(10);
  expect(notes).toContain("(combined from similar events): attempt 10 3");
}, 30_000);
