import { startCluster } from "@kubewright/cluster";
import { FakeClock } from "@kubewright/core/clock";
import type { TransportRequest } from "@kubewright/core/transport";
import { expect, test } from "vitest";
import { z } from "zod";
import { ConfigMap } from "../../test/kinds.js";
import { type RunningController, runController } from "../../test/running-controller.js";
import { ScriptedTransport } from "../../test/scripted-transport.js";
import { shop, Website } from "../../test/website.js";
import { createClient } from "../client/index.js";
import { defineResource } from "../definition/index.js";
import { Event } from "../k8s/events/v1.gen.js";
import { operator } from "../manager/index.js";
import { controller, TerminalError } from "../reconcile/index.js";
import { EventCorrelator } from "./event-correlator.js";
import { EventRecorder } from "./index.js";

const Phased = defineResource({
  group: "web.example.com",
  kind: "Phased",
  versions: {
    v1: {
      spec: z.object({ size: z.int32().optional() }),
      conditions: { Ready: ["Done"], Degraded: ["Slow"], Audited: ["Fine"] },
    },
  },
});
const set = { status: true, message: "" } as const;

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
  await running.client.patch(Website, "shop", { merge: { metadata: { labels: { run: "again" } } } });
  await running.settle();
  expect(statusWrites(running)).toHaveLength(1);
  expect(seen).toEqual([undefined, "https://shop:1"]);
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

test("observedGeneration does not move with a run that fails, but a condition that it sets has its generation", async () => {
  const failing = controller(Website, {
    reconcile: async ({ object, conditions, saveStatus }) => {
      const broken = object.spec.image === "broken";
      conditions.set("Ready", { status: !broken, reason: broken ? "Progressing" : "Available" });
      await saveStatus();
      if (broken) throw new Error("failed");
    },
  });
  await using running = await runController(failing, { install: [Website] });
  await running.client.create(Website, shop);
  await running.settle();
  await running.client.patch(Website, "shop", { merge: { spec: { image: "broken" } } });
  await running.settle();
  const { status } = await running.client.get(Website, "shop");
  expect(status).toMatchObject({ observedGeneration: 1, conditions: [{ status: "False", observedGeneration: 2 }] });
});

test("of two controllers of one kind, the one that completes does not move observedGeneration while the other fails", async () => {
  let broken = false;
  const failing = controller(Phased, {
    name: "failing",
    reconcile: async ({ conditions }) => {
      if (broken) throw new Error("failed");
      conditions.set("Ready", { ...set, reason: "Done" });
    },
  });
  const completing = controller(Phased, {
    name: "completing",
    reconcile: async ({ conditions }) => conditions.set("Audited", { ...set, reason: "Fine" }),
  });
  await using cluster = await startCluster({ clock: new FakeClock() });
  const client = createClient(cluster.transport);
  const both = operator({ name: "both", controllers: [failing, completing] });
  const clock = new FakeClock();
  await using running = await both.start({ transport: cluster.transport, clock, installCRDs: true });
  const observed = async (): Promise<unknown> => {
    for (let quiet = 0; quiet < 3; quiet = cluster.idle && running.idle ? quiet + 1 : 0)
      await new Promise((resolve) => setImmediate(resolve));
    return (await client.get(Phased, "shop")).status?.observedGeneration;
  };
  await client.create(Phased, { metadata: { name: "shop" }, spec: {} });
  expect(await observed()).toBe(1);
  broken = true;
  await client.patch(Phased, "shop", { merge: { spec: { size: 2 } } });
  expect(await observed()).toBe(1);
  broken = false;
  clock.advance(60_000);
  expect(await observed()).toBe(2);
});

test("lastTransitionTime is the time at which the condition was set", async () => {
  const slow = controller(Website, {
    reconcile: async ({ conditions, clock }) => {
      if (conditions.get("Ready") === undefined) (clock as FakeClock).advance(45_000);
      conditions.set("Ready", { status: true, reason: "Available" });
    },
  });
  await using running = await runController(slow, { install: [Website] });
  await running.client.create(Website, shop);
  await running.settle();
  const { status } = await running.client.get(Website, "shop");
  expect(status?.conditions?.[0]?.lastTransitionTime).toBe("2030-01-01T00:00:45Z");
});

test("a condition that is removed stays removed when another is set in the same run, whatever other clients set", async () => {
  for (const how of ["remove", "draft"] as const) {
    const seen: unknown[] = [];
    const phased = controller(Phased, {
      reconcile: async ({ object, conditions, status }) => {
        if (object.metadata.labels?.["step"] !== "2") return conditions.set("Degraded", { ...set, reason: "Slow" });
        if (how === "remove") conditions.remove("Degraded");
        else status.conditions = status.conditions?.filter(({ type }) => type !== "Degraded");
        conditions.set("Ready", { ...set, reason: "Done" });
        conditions.remove("Audited");
        seen.push(conditions.get("Degraded"), conditions.get("Ready")?.reason);
      },
    });
    let interfere = async (): Promise<unknown> => undefined;
    const intercept = ({ method, path }: TransportRequest): void => {
      if (method !== "PATCH" || !path.endsWith("/status")) return;
      const once = interfere;
      interfere = async () => undefined;
      void once();
    };
    await using running = await runController(phased, { install: [Phased], intercept });
    const { client } = running;
    await client.create(Phased, { metadata: { name: "shop" }, spec: {} });
    await running.settle();
    const audited = {
      type: "Other",
      status: "True",
      reason: "X",
      message: "",
      lastTransitionTime: "2029-01-01T00:00:00Z",
    };
    interfere = async () => {
      const { status } = await client.get(Phased, "shop");
      const conditions = [...(status?.conditions ?? []), audited as never];
      await client.patchStatus(Phased, "shop", { merge: { status: { conditions } } });
    };
    await client.patch(Phased, "shop", { merge: { metadata: { labels: { step: "2" } } } });
    await running.settle();
    const { status } = await client.get(Phased, "shop");
    expect(status?.conditions?.map(({ type }) => type as string)).toEqual(["Other", "Ready"]);
    expect(seen.slice(0, 2)).toEqual([undefined, "Done"]);
  }
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
  other = () => running.client.patchStatus(Website, "shop", { merge: { status: { conditions: [theirs as never] } } });
  await running.client.create(Website, shop);
  await running.settle();
  const { status } = await running.client.get(Website, "shop");
  expect(status?.conditions?.map(({ type }) => type).sort()).toEqual(["Audited", "Ready"]);
  expect(running.loop.failing.size).toBe(0);
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
  expect(running.loop.failing.size).toBe(0);
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
  expect(events[0]?.series?.count).toBe(running.loop.runs);
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
  const record = (note: string) => {
    recorder.record(ConfigMap, { metadata }, { type: "Normal", reason: "Test", note });
    return recorder.whenWritten();
  };
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
  const record = (note: string, reason = "Failed") => {
    recorder.record(ConfigMap, { metadata }, { type: "Warning", reason, note });
    return recorder.whenWritten();
  };
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
  recorder.record(ConfigMap, { metadata }, { type: "Normal", reason: "Test", note: "é".repeat(2_000) });
  await recorder.whenWritten();
  const { note } = (transport.lastRequest?.body ?? { note: "" }) as { note: string };
  expect(Buffer.byteLength(note)).toBeLessThanOrEqual(1_024);
  expect(note.endsWith("…")).toBe(true);
});

test("notes that differ only beyond the server's limit are one Event with a count", async () => {
  const transport = new ScriptedTransport(({ body }) => ({ body }));
  const recorder = new EventRecorder({
    client: createClient(transport),
    clock: new FakeClock(),
    random: () => 0,
    controller: "c",
    instance: "i",
  });
  const metadata = { name: "a", namespace: "default", uid: "u", resourceVersion: "1" };
  for (const end of ["one", "two"]) {
    recorder.record(ConfigMap, { metadata }, { type: "Normal", reason: "Test", note: `${"x".repeat(2_000)}${end}` });
    await recorder.whenWritten();
  }
  expect(transport.requests.map(({ method }) => method)).toEqual(["POST", "PATCH"]);
});

test("the memory of recorded Events is bounded, whatever their number per object", () => {
  const correlator = new EventCorrelator(new FakeClock());
  const correlate = (object: string, note: string) =>
    correlator.correlate({ object, type: "Normal", reason: "Test", action: "Reconcile", note });
  const first = correlate("first", "note");
  const used = correlate("used", "note");
  for (let object = 0; object < 1_000; object++) {
    for (let note = 0; note < 9; note++) correlate(`object ${object}`, `note ${note}`);
    // Recently used: still counted up.
    if (object % 100 === 0) expect(correlate("used", "note")).toBe(used);
  }
  expect(correlate("first", "note")).not.toBe(first);
});

test("Events beyond a thousand that wait for a slow server are dropped and counted", () => {
  let dropped = 0;
  const recorder = new EventRecorder({
    client: createClient({ ...new ScriptedTransport(() => undefined), send: () => new Promise(() => {}) } as never),
    clock: new FakeClock(),
    random: () => 0,
    controller: "c",
    instance: "i",
    dropped: () => dropped++,
  });
  for (let index = 0; index < 1_100; index++) {
    const metadata = { name: `a${index}`, namespace: "default", uid: `u${index}`, resourceVersion: "1" };
    recorder.record(ConfigMap, { metadata }, { type: "Normal", reason: "Test", note: "slow" });
  }
  expect([recorder.pending, dropped]).toEqual([1_000, 100]);
});
