import { startCluster } from "@kubewright/cluster";
import { FakeClock } from "@kubewright/core/clock";
import type { TransportRequest } from "@kubewright/core/transport";
import { expect, test } from "vitest";
import { ConfigMap } from "../../test/kinds.js";
import { type RunningController, runController } from "../../test/running-controller.js";
import { ScriptedTransport } from "../../test/scripted-transport.js";
import { shop, Website } from "../../test/website.js";
import { createClient } from "../client/index.js";
import { Event } from "../k8s/events/v1.gen.js";
import { controller, TerminalError } from "../reconcile/index.js";
import { EventRecorder } from "./index.js";

const statusWrites = ({ sent }: RunningController): string[] => sent.filter((line) => line.endsWith("/status"));

test("the status draft starts as a copy, and is written once after the run, only if it changed", async () => {
  const seen: unknown[] = [];
  const counting = controller(Website, {
    reconcile: async ({ object, status }) => {
      seen.push(status.url);
      status.availableReplicas = 1;
      status.availableReplicas = 2;
      status.url = `https://${object.spec.image}`;
    },
  });
  await using running = await runController(counting, { install: [Website] });
  await running.client.create(Website, shop);
  await running.settle();
  expect((await running.client.get(Website, "shop")).status).toMatchObject({
    url: "https://shop:1",
    availableReplicas: 2,
  });
  expect(statusWrites(running)).toHaveLength(1);
  expect(seen.length).toBeGreaterThan(1);
  expect(seen.at(-1)).toBe("https://shop:1");
});

test("a field that is set to undefined is removed, and fields of other managers stay", async () => {
  const removing = controller(Website, {
    reconcile: async ({ object, status }) => {
      status.url = object.spec.host;
    },
  });
  await using running = await runController(removing, { install: [Website] });
  await running.client.create(Website, { ...shop, spec: { image: "x", host: "a.example.com" } });
  await running.settle();
  await running.client.patchStatus(Website, "shop", { merge: { status: { availableReplicas: 7 } } });
  await running.client.patch(Website, "shop", { merge: { spec: { host: null } } });
  await running.settle();
  const { status } = await running.client.get(Website, "shop");
  expect(status?.url).toBeUndefined();
  expect(status?.availableReplicas).toBe(7);
});

test("the status is also written after an error and after a terminal error", async () => {
  for (const error of [new Error("failed"), new TerminalError("failed permanently")]) {
    const failing = controller(Website, {
      reconcile: async ({ status, conditions }) => {
        status.url = "half way";
        conditions.set("Ready", { status: false, reason: "Progressing", message: "failed" });
        throw error;
      },
    });
    await using running = await runController(failing, { install: [Website] });
    await running.client.create(Website, shop);
    await running.settle();
    const { status } = await running.client.get(Website, "shop");
    expect(status?.url).toBe("half way");
    expect(status?.conditions?.[0]?.reason).toBe("Progressing");
  }
});

test("saveStatus writes immediately, and later changes are written after the run", async () => {
  const stored: unknown[] = [];
  let running: RunningController | undefined;
  const saving = controller(Website, {
    reconcile: async ({ status, saveStatus }) => {
      status.url = "id-1";
      await saveStatus();
      stored.push((await running?.client.get(Website, "shop"))?.status?.url);
      status.availableReplicas = 3;
    },
  });
  await using started = await runController(saving, { install: [Website] });
  running = started;
  await running.client.create(Website, shop);
  await running.settle();
  expect(stored[0]).toBe("id-1");
  expect((await running.client.get(Website, "shop")).status).toMatchObject({ url: "id-1", availableReplicas: 3 });
  expect(statusWrites(running)).toHaveLength(2);
});

test("a condition keeps its lastTransitionTime until its status changes, and has the observedGeneration", async () => {
  const ready = controller(Website, {
    reconcile: async ({ object, conditions }) => {
      const available = object.spec.image !== "broken";
      conditions.set("Ready", {
        status: available,
        reason: available ? "Available" : "Progressing",
        message: object.spec.image,
      });
    },
  });
  await using running = await runController(ready, { install: [Website] });
  const condition = async () => (await running.client.get(Website, "shop")).status?.conditions?.[0];
  await running.client.create(Website, shop);
  await running.settle();
  const first = await condition();
  expect(first).toMatchObject({
    type: "Ready",
    status: "True",
    reason: "Available",
    message: "shop:1",
    observedGeneration: 1,
  });
  await running.advance(60_000);
  await running.client.patch(Website, "shop", { merge: { spec: { image: "shop:2" } } });
  await running.settle();
  expect(await condition()).toEqual({ ...first, message: "shop:2", observedGeneration: 2 });
  await running.client.patch(Website, "shop", { merge: { spec: { image: "broken" } } });
  await running.settle();
  expect(await condition()).toMatchObject({ status: "False", lastTransitionTime: "2030-01-01T00:01:00Z" });
  expect((await running.client.get(Website, "shop")).status?.observedGeneration).toBe(3);
});

test("observedGeneration is set after each completed run of a kind with conditions, also when the run sets none", async () => {
  await using running = await runController(controller(Website, { reconcile: () => undefined }), {
    install: [Website],
  });
  await running.client.create(Website, shop);
  await running.settle();
  expect((await running.client.get(Website, "shop")).status?.observedGeneration).toBe(1);
});

test("a condition that another client sets concurrently is not lost: the write is retried on the latest object", async () => {
  let other: (() => Promise<unknown>) | undefined;
  const intercept = (request: TransportRequest): void => {
    if (request.method !== "PATCH" || !request.path.endsWith("/status") || other === undefined) return;
    const interfere = other;
    other = undefined;
    void interfere();
  };
  const ready = controller(Website, {
    reconcile: async ({ conditions }) => conditions.set("Ready", { status: true, reason: "Available" }),
  });
  await using running = await runController(ready, { install: [Website], intercept });
  const theirs = {
    type: "Audited",
    status: "True",
    reason: "Fine",
    message: "",
    lastTransitionTime: "2029-01-01T00:00:00Z",
  };
  other = () => running.client.patchStatus(Website, "shop", { merge: { status: { conditions: [theirs] } } });
  await running.client.create(Website, shop);
  await running.settle();
  const { status } = await running.client.get(Website, "shop");
  expect(status?.conditions?.map(({ type }) => type).sort()).toEqual(["Audited", "Ready"]);
  expect(running.runtime.failing.size).toBe(0);
});

test("an object that is deleted during its run is no error", async () => {
  let running: RunningController | undefined;
  const late = controller(Website, {
    reconcile: async ({ status }) => {
      await running?.client.delete(Website, "shop");
      status.url = "too late";
    },
  });
  await using started = await runController(late, { install: [Website] });
  running = started;
  await running.client.create(Website, shop);
  await running.settle();
  expect(running.runtime.failing.size).toBe(0);
  expect(await running.client.find(Website, "shop")).toBeUndefined();
});

test("event records an Event for the object, and repeats increase series.count", async () => {
  const recording = controller(Website, {
    reconcile: async ({ event, requeueAfter }) => {
      const related = { kind: ConfigMap, metadata: { namespace: "default", name: "settings" } };
      event("Warning", "TokenMissing", "There is no token", { related });
      return requeueAfter("1m");
    },
  });
  await using running = await runController(recording, { install: [Website] });
  await running.client.create(Website, shop);
  await running.settle();
  await running.advance(60_000);
  const events = [];
  for await (const event of running.client.list(Event)) events.push(event);
  expect(events).toHaveLength(1);
  expect(events[0]).toMatchObject({
    type: "Warning",
    reason: "TokenMissing",
    note: "There is no token",
    action: "Reconcile",
    reportingController: "website",
    reportingInstance: "website",
    regarding: { apiVersion: "web.example.com/v1", kind: "Website", namespace: "default", name: "shop" },
    related: { apiVersion: "v1", kind: "ConfigMap", namespace: "default", name: "settings" },
  });
  expect(events[0]?.series?.count).toBe(running.runtime.runs);
});

test("Events that cannot be written fail nothing, and Events are rate limited per object", async () => {
  const transport = new ScriptedTransport(() => undefined);
  const clock = new FakeClock();
  const recorder = new EventRecorder({
    client: createClient(transport),
    clock,
    random: () => 0,
    controller: "c",
    instance: "c-1",
  });
  const metadata = { name: "a", namespace: "default", uid: "u", resourceVersion: "1" };
  const record = (note: string) => recorder.record(ConfigMap, { metadata }, { type: "Normal", reason: "Test", note });
  for (let index = 0; index < 40; index++) await record(`note ${index}`);
  expect(transport.requests).toHaveLength(25);
  clock.advance(10 * 60_000);
  for (let index = 40; index < 50; index++) await record(`note ${index}`);
  expect(transport.requests).toHaveLength(27);
});

test("Events that differ only in their note are combined from the tenth on, until ten minutes pass without one", async () => {
  await using cluster = await startCluster({ clock: new FakeClock() });
  const client = createClient(cluster.transport);
  const clock = new FakeClock();
  const recorder = new EventRecorder({ client, clock, random: Math.random, controller: "c", instance: "c-1" });
  const metadata = { name: "a", namespace: "default", uid: "u", resourceVersion: "1" };
  const record = (note: string, reason = "Failed") =>
    recorder.record(ConfigMap, { metadata }, { type: "Warning", reason, note });
  for (let index = 1; index <= 12; index++) await record(`attempt ${index}`);
  await record("of another kind", "Other");
  const notes = async (): Promise<Record<string, number>> => {
    const found: Record<string, number> = {};
    for await (const { note, series } of client.list(Event)) found[note ?? ""] = series?.count ?? 1;
    return found;
  };
  const alone = Object.fromEntries(Array.from({ length: 9 }, (_, index) => [`attempt ${index + 1}`, 1]));
  const combined = { "(combined from similar events): attempt 10": 3 };
  expect(await notes()).toEqual({ ...alone, ...combined, "of another kind": 1 });
  clock.advance(10 * 60_000 + 1);
  await record("attempt 13");
  expect(await notes()).toMatchObject({ "attempt 13": 1 });
});

test("a note that exceeds the server's limit is truncated", async () => {
  const transport = new ScriptedTransport(({ body }) => ({ body }));
  const recorder = new EventRecorder({
    client: createClient(transport),
    clock: new FakeClock(),
    random: () => 0,
    controller: "c",
    instance: "i",
  });
  const metadata = { name: "a", namespace: "default", uid: "u", resourceVersion: "1" };
  await recorder.record(ConfigMap, { metadata }, { type: "Normal", reason: "Test", note: "é".repeat(2_000) });
  const { note } = (transport.lastRequest?.body ?? { note: "" }) as { note: string };
  expect(Buffer.byteLength(note)).toBeLessThanOrEqual(1_024);
  expect(note.endsWith("…")).toBe(true);
});
