import { type Logger, silentLogger } from "@kubewright/core/log";
import { expect, test } from "vitest";
import { runController } from "../../test/running-controller.js";
import { shop, Website } from "../../test/website.js";
import { ConfigMap } from "../k8s/core/v1.gen.js";
import { Event } from "../k8s/events/v1.gen.js";
import { controller, TerminalError } from "./index.js";

test("gone is called once for each reconciled object that has disappeared, also where `when` drops deletes", async () => {
  const gone: unknown[] = [];
  const counting = controller(Website, {
    owns: [ConfigMap],
    when: (change) => change.kind !== "deleted",
    gone: (key) => gone.push(key),
    reconcile: async ({ object, apply }) => void (await apply(ConfigMap, { metadata: { name: object.metadata.name } })),
  });
  await using running = await runController(counting, { install: [Website] });
  await running.client.create(Website, shop);
  await running.client.create(Website, { ...shop, metadata: { name: "other" } });
  await running.settle();
  expect(gone).toEqual([]);
  await running.client.delete(Website, "shop");
  // The garbage collector deletes the child, which enqueues its owner again.
  await running.settle();
  await running.advance(60_000);
  expect(gone).toEqual([{ namespace: "default", name: "shop" }]);
});

test("gone that throws is logged and stops no worker, and a recreated object is reconciled", async () => {
  const logged: string[] = [];
  const logger: Logger = { ...silentLogger, error: (_, message) => void logged.push(message), child: () => logger };
  let runs = 0;
  const failing = controller(Website, {
    gone: () => {
      throw new Error("no gauge");
    },
    reconcile: () => {
      runs += 1;
    },
  });
  await using running = await runController(failing, { install: [Website], logger });
  for (const times of [1, 2]) {
    await running.client.create(Website, shop);
    await running.settle();
    expect(runs).toBe(times);
    await running.client.delete(Website, "shop");
    await running.settle();
  }
  expect(logged.filter((message) => message.includes("`gone` failed"))).toHaveLength(2);
});

async function eventsOf(running: Awaited<ReturnType<typeof runController>>) {
  const events = [];
  for await (const { type, reason, action, note, series } of running.client.list(Event))
    events.push({ type, reason, action, note, count: series?.count ?? 1 });
  return events;
}

test("an object that fails for the third time gets a Warning event, which counts the following failures", async () => {
  const failing = controller(Website, {
    backoff: { first: "1s", max: "1s" },
    reconcile: () => Promise.reject(new Error("no token")),
  });
  await using running = await runController(failing, { install: [Website] });
  await running.client.create(Website, shop);
  await running.settle();
  await running.advance(1_000);
  expect(await eventsOf(running)).toEqual([]);
  await running.advance(1_000);
  const event = { type: "Warning", reason: "ReconcileFailed", action: "Reconcile", note: "no token" };
  expect(await eventsOf(running)).toEqual([{ ...event, count: 1 }]);
  for (let second = 0; second < 60; second++) await running.advance(1_000);
  // A burst of 25 per object, then one per five minutes.
  expect(await eventsOf(running)).toEqual([{ ...event, count: 25 }]);
});

test("a terminal error gets its event at once, and a failed finalize its own reason", async () => {
  const failing = controller(Website, {
    reconcile: () => Promise.reject(new TerminalError("no such image")),
    finalize: () => Promise.reject(new TerminalError("still in use")),
  });
  await using running = await runController(failing, { install: [Website] });
  await running.client.create(Website, shop);
  await running.settle();
  expect(await eventsOf(running)).toMatchObject([{ reason: "ReconcileFailed", note: "no such image" }]);
  // The names of events contain the time.
  await running.advance(1_000);
  await running.client.delete(Website, "shop");
  await running.settle();
  expect(await eventsOf(running)).toContainEqual({
    type: "Warning",
    reason: "FinalizeFailed",
    action: "Finalize",
    note: "still in use",
    count: 1,
  });
});

test("failureEvents: false records no event", async () => {
  const failing = controller(Website, { reconcile: () => Promise.reject(new TerminalError("no such image")) });
  await using running = await runController(failing, { install: [Website], observe: { failureEvents: false } });
  await running.client.create(Website, shop);
  await running.settle();
  expect(await eventsOf(running)).toEqual([]);
});
