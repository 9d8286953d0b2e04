import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { FakeClock } from "@kubewright/core/clock";
import { expect, test } from "vitest";
import { runController } from "../../test/running-controller.js";
import { Warnings } from "../../test/warnings.js";
import { shop, Website } from "../../test/website.js";
import { Deployment } from "../k8s/apps/v1.gen.js";
import { ConfigMap } from "../k8s/core/v1.gen.js";
import { disputedFields } from "./disputed-fields.js";
import { type FieldConflict, FieldConflictDetector } from "./field-conflict-detector.js";
import { controller } from "./index.js";

const container = (image: string) => ({ name: "web", image });
const deployment = (image: string) => ({
  selector: { matchLabels: { app: "shop" } },
  template: { metadata: { labels: { app: "shop" } }, spec: { containers: [container(image)] } },
});

test("a field manager that keeps reverting a field is reported with the field and the rate", async () => {
  const logger = new Warnings();
  const website = controller(Website, {
    owns: [Deployment],
    reconcile: async ({ object, apply }) => {
      await apply(Deployment, { metadata: { name: object.metadata.name }, spec: deployment(object.spec.image) });
    },
  });
  await using running = await runController(website, { install: [Website], logger });
  await running.client.create(Website, shop);
  await running.settle();
  const meddle = async (): Promise<void> => {
    await running.client.patch(
      Deployment,
      "shop",
      { strategic: { spec: { template: { spec: { containers: [container("evil:1")] } } } } },
      { fieldManager: "meddler" },
    );
    await running.advance(30_000);
  };
  await meddle();
  await meddle();
  expect(logger.all).toEqual([]);
  await meddle();
  expect(logger.all).toEqual([
    {
      message: "Field ownership conflict: another field manager keeps changing the field back",
      fields: {
        kind: "apps/v1/Deployment",
        key: "default/shop",
        path: `.spec.template.spec.containers[name="web"].image`,
        manager: "meddler",
        perMinute: 2,
      },
    },
  ]);
  expect((await running.client.get(Deployment, "shop")).spec?.template.spec?.containers[0]?.image).toBe("shop:1");
});

test("a controller whose desired value changes at each run is reported, for children and status", async () => {
  const logger = new Warnings();
  let runs = 0;
  const restless = controller(Website, {
    owns: [ConfigMap],
    reconcile: async ({ object, apply, status }) => {
      runs += 1;
      if (runs > 30) return;
      await apply(ConfigMap, { metadata: { name: object.metadata.name }, data: { at: `${runs}` } });
      status.url = `http://${runs}`;
    },
  });
  await using running = await runController(restless, { install: [Website], logger });
  await running.client.create(Website, shop);
  await running.settle();
  const seen = new Set(logger.all.map(({ fields }) => `${fields["kind"]} ${fields["path"]} ${fields["manager"]}`));
  expect(seen).toEqual(new Set(["/v1/ConfigMap .data.at website", "web.example.com/v1/Website .status.url website"]));
  expect(logger.all[0]?.message).toMatch(/^Field is flapping: the controller's desired value/);
});

test("values that follow the owner, its children or the clock are no conflict, however often they change", async () => {
  const logger = new Warnings();
  const calm = controller(Website, {
    owns: [ConfigMap],
    reconcile: async ({ object, apply, status, requeueAfter, clock, find }) => {
      const child = await find(ConfigMap, object.metadata.name);
      await apply(ConfigMap, { metadata: { name: object.metadata.name }, data: { image: object.spec.image } });
      status.availableReplicas = Number(child?.metadata.annotations?.["ready"] ?? "0");
      // Fields also come and go.
      status.url = Math.floor(clock.now() / 1_000) % 2 === 0 ? undefined : `${clock.now()}`;
      return requeueAfter("1s");
    },
  });
  await using running = await runController(calm, { install: [Website], logger });
  await running.client.create(Website, shop);
  for (let round = 1; round <= 25; round++) {
    await running.client.patch(Website, "shop", { merge: { spec: { image: `shop:${round}` } } });
    await running.settle();
    await running.client.patch(ConfigMap, "shop", { merge: { metadata: { annotations: { ready: `${round}` } } } });
    await running.advance(1_000);
  }
  expect((await running.client.get(Website, "shop")).status?.availableReplicas).toBe(25);
  expect(logger.all).toEqual([]);
});

test("disputed fields name the managers that own them; a field without an owner has none", () => {
  const live = {
    metadata: {
      name: "x",
      managedFields: [
        { manager: "me", operation: "Apply", fieldsV1: { "f:data": { "f:a": {}, "f:b": {} } } },
        { manager: "you", operation: "Update", fieldsV1: { "f:data": { "f:b": {}, "f:__proto__": {} } } },
      ],
    },
    data: { a: "1", b: "1" },
  };
  const desired = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "x" }, data: { a: "1", b: "2", c: "3" } };
  expect(disputedFields(live, desired, "me")).toEqual([
    { path: ".data.b", before: "1", after: "2", managers: ["you"] },
    { path: ".data.c", before: undefined, after: "3", managers: [] },
  ]);
});

test("large values are recognised, and not kept", () => {
  const conflicts: FieldConflict[] = [];
  const detector = new FieldConflictDetector({
    clock: new FakeClock(),
    fieldManager: "own",
    report: (conflict) => conflicts.push(conflict),
  });
  const large = (fill: number): string => Buffer.alloc(100_000, fill).toString("latin1");
  const correct = (uid: string, before: string, after: string): void =>
    detector.corrected({
      kind: "/v1/ConfigMap",
      key: uid,
      uid,
      fields: [{ path: ".data.page", before, after, managers: [] }],
      suspect: undefined,
      generation: undefined,
      causes: [],
    });
  for (let times = 0; times < 4; times++) correct("disputed", large(times === 0 ? 1 : 2), large(1));
  correct("own", large(1), large(2));
  for (let times = 2; times < 10; times++) correct("own", large(times), large(times + 1));
  expect(conflicts.map(({ key, manager }) => `${key} ${manager}`)).toEqual(["disputed unknown"]);

  setFlagsFromString("--expose-gc");
  const gc = runInNewContext("gc") as () => void;
  gc();
  const before = process.memoryUsage().heapUsed;
  for (let at = 0; at < 400; at++) correct(`object-${at}`, large(at), large(at + 1));
  gc();
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(10_000_000);
});
