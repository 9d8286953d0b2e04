import { expect, test } from "vitest";
import { startWorld } from "../../test/embedded-world.js";
import { runController } from "../../test/running-controller.js";
import { Warnings } from "../../test/warnings.js";
import { shop, Website } from "../../test/website.js";
import { Event } from "../k8s/events/v1.gen.js";
import { operator } from "../manager/index.js";
import { controller } from "./index.js";

const finalizer = "web.example.com/website";

test("the finalizer is added before the first run, by a separate field manager, and removed after finalize returns", async () => {
  const steps: string[] = [];
  const cleaning = controller(Website, {
    reconcile: async ({ object }) => void steps.push(`reconcile with ${object.metadata.finalizers?.join()}`),
    finalize: async ({ object }) => void steps.push(`finalize ${object.metadata.name}`),
  });
  await using running = await runController(cleaning, { install: [Website] });
  await running.client.create(Website, shop);
  await running.settle();
  expect(steps[0]).toBe(`reconcile with ${finalizer}`);
  const held = await running.client.get(Website, "shop");
  expect(held.metadata.managedFields?.map(({ manager }) => manager)).toContain("website-finalizer");

  steps.length = 0;
  await running.client.delete(Website, "shop");
  await running.settle();
  expect(steps).toEqual(["finalize shop"]);
  expect(await running.client.find(Website, "shop")).toBeUndefined();
});

test("the object stays while finalize fails or requeues, and is removed when finalize is done", async () => {
  let failures = 1;
  const slow = controller(Website, {
    reconcile: () => undefined,
    finalize: async ({ object, clock, requeueAfter }) => {
      if (failures-- > 0) throw new Error("the provider is away");
      const goneMs = Date.parse(object.metadata.deletionTimestamp ?? "") + 60_000;
      return clock.now() < goneMs ? requeueAfter(`${goneMs - clock.now()}ms`) : undefined;
    },
  });
  await using running = await runController(slow, { install: [Website] });
  await running.client.create(Website, shop);
  await running.settle();
  await running.client.delete(Website, "shop");
  await running.settle();
  expect((await running.client.get(Website, "shop")).metadata.finalizers).toEqual([finalizer]);
  await running.advance(5);
  expect((await running.client.get(Website, "shop")).metadata.finalizers).toEqual([finalizer]);
  await running.advance(60_000);
  expect(await running.client.find(Website, "shop")).toBeUndefined();
});

test("a newer version of the operator without finalize removes its finalizer, also from objects that are being deleted", async () => {
  const before = await runController(
    controller(Website, { reconcile: () => undefined, finalize: () => Promise.reject(new Error("never done")) }),
    { install: [Website] },
  );
  for (const name of ["living", "dying"]) await before.client.create(Website, { ...shop, metadata: { name } });
  await before.settle();
  await before.client.delete(Website, "dying");
  await before.settle();
  await using after = await before.restart(controller(Website, { reconcile: () => undefined }));
  await after.settle();
  expect((await after.client.get(Website, "living")).metadata.finalizers ?? []).toEqual([]);
  expect(await after.client.find(Website, "dying")).toBeUndefined();
});

test("finalizers of other controllers stay", async () => {
  const cleaning = controller(Website, { reconcile: () => undefined, finalize: () => undefined });
  await using running = await runController(cleaning, { install: [Website] });
  const { client } = running;
  await client.create(Website, {
    metadata: { name: "shop", finalizers: ["other.example.com/hold"] },
    spec: { image: "x" },
  });
  await running.settle();
  expect((await client.get(Website, "shop")).metadata.finalizers).toEqual(["other.example.com/hold", finalizer]);
  await client.delete(Website, "shop");
  await running.settle();
  expect((await client.get(Website, "shop")).metadata.finalizers).toEqual(["other.example.com/hold"]);
  await client.patch(Website, "shop", { merge: { metadata: { finalizers: [] } } });
  await running.settle();
  expect(await client.find(Website, "shop")).toBeUndefined();
  expect(running.loop.failing.size).toBe(0);
});

test("an object with a deletionTimestamp and without the controller's finalizer is not reconciled", async () => {
  let runs = 0;
  const plain = controller(Website, { reconcile: async () => void runs++ });
  await using running = await runController(plain, { install: [Website] });
  await running.client.create(Website, {
    metadata: { name: "shop", finalizers: ["other.example.com/hold"] },
    spec: { image: "x" },
  });
  await running.settle();
  const before = runs;
  await running.client.delete(Website, "shop");
  await running.settle();
  expect(runs).toBe(before);
});

test("an object that other finalizers hold during deletion is reconciled only with whileDeleting", async () => {
  for (const whileDeleting of [false, true]) {
    const seen: boolean[] = [];
    const looking = controller(Website, {
      whileDeleting,
      reconcile: ({ object }) => void seen.push(object.metadata.deletionTimestamp !== undefined),
    });
    await using running = await runController(looking, { install: [Website] });
    await running.client.create(Website, {
      metadata: { name: "shop", finalizers: ["other.example.com/hold"] },
      spec: { image: "x" },
    });
    await running.settle();
    await running.client.delete(Website, "shop");
    await running.settle();
    expect(seen.includes(true)).toBe(whileDeleting);
  }
});

test("an object that left the selection is finalized, also by an operator that started afterwards", async () => {
  const finalized: string[] = [];
  const reconciled: string[] = [];
  const selecting = controller(Website, {
    select: { labels: { shard: "1" } },
    reconcile: ({ object }) => void reconciled.push(object.metadata.name),
    finalize: ({ object }) => void finalized.push(object.metadata.name),
  });
  const before = await runController(selecting, { install: [Website] });
  const { client } = before;
  for (const name of ["early", "late"])
    await client.create(Website, { ...shop, metadata: { name, labels: { shard: "1" } } });
  await client.create(Website, { ...shop, metadata: { name: "other", finalizers: ["other.example.com/hold"] } });
  await before.settle();
  for (const name of ["early", "late"]) await client.patch(Website, name, { merge: { metadata: { labels: null } } });
  await before.settle();
  reconciled.length = 0;
  await client.delete(Website, "early");
  await before.settle();
  expect(await client.find(Website, "early")).toBeUndefined();
  await using after = await before.restart(selecting);
  await client.delete(Website, "late");
  await client.delete(Website, "other");
  await after.settle();
  expect(await client.find(Website, "late")).toBeUndefined();
  expect(finalized).toEqual(["early", "late"]);
  expect(reconciled).toEqual([]);
});

test("a finalizer with a selection by a field that can change is rejected", () => {
  const make = (fields: string) =>
    controller(Website, { select: { fields }, reconcile: () => undefined, finalize: () => undefined });
  expect(() => make("spec.host=a")).toThrow("select by labels");
  expect(make("metadata.name=a").selection.fields).toBe("metadata.name=a");
});

test("a renamed controller takes over the finalizer of its former name", async () => {
  const finalized: string[] = [];
  const renamed = controller(Website, {
    name: "site",
    formerNames: ["website"],
    reconcile: () => undefined,
    finalize: ({ object }) => void finalized.push(object.metadata.name),
  });
  const before = await runController(
    controller(Website, { reconcile: () => undefined, finalize: () => Promise.reject(new Error("not yet")) }),
    { install: [Website] },
  );
  for (const name of ["living", "dying"]) await before.client.create(Website, { ...shop, metadata: { name } });
  await before.settle();
  await before.client.delete(Website, "dying");
  await before.settle();
  await using after = await before.restart(renamed);
  await after.settle();
  expect((await after.client.get(Website, "living")).metadata.finalizers).toEqual(["web.example.com/site"]);
  expect(await after.client.find(Website, "dying")).toBeUndefined();
  expect(finalized).toEqual(["dying"]);
});

test("a finalizer of the group that no controller serves is reported once, and by an event when it blocks a deletion", async () => {
  const logger = new Warnings();
  await using running = await runController(controller(Website, { reconcile: () => undefined }), {
    install: [Website],
    logger,
  });
  const { client } = running;
  const finalizers = ["web.example.com/renamed", "web.example.com/website", "other.example.com/hold"];
  for (const name of ["one", "two"]) await client.create(Website, { ...shop, metadata: { name, finalizers } });
  await running.settle();
  const unserved = logger.all.filter(({ message }) => message.startsWith("No controller of this operator serves"));
  expect(unserved.map(({ fields }) => fields)).toEqual([{ finalizer: "web.example.com/renamed" }]);
  await client.delete(Website, "one");
  await running.settle();
  const events = (await client.listPage(Event)).items.filter(({ reason }) => reason === "FinalizerNotServed");
  expect(events.map(({ type, regarding, note }) => `${type} ${regarding?.name}: ${note}`)).toEqual([
    `Warning one: The deletion waits for the finalizer "web.example.com/renamed", which no controller of this operator serves`,
  ]);
});

test("a finalizer that another controller of the operator serves, or that has a former name, is not reported", async () => {
  const logger = new Warnings();
  await using world = await startWorld();
  const cleaning = controller(Website, { name: "cleaner", reconcile: () => undefined, finalize: () => undefined });
  const renamed = controller(Website, { name: "writer", formerNames: ["typist"], reconcile: () => undefined });
  const made = operator({ name: "web", controllers: [cleaning, renamed] });
  await using running = await made.start({ ...world.options, logger, installCRDs: true });
  const metadata = { name: "shop", finalizers: ["web.example.com/typist"] };
  await world.client.create(Website, { ...shop, metadata });
  await world.settle(running);
  expect((await world.client.get(Website, "shop")).metadata.finalizers).toEqual(["web.example.com/cleaner"]);
  expect(logger.all).toEqual([]);
});
