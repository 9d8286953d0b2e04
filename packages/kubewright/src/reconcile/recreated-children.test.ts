import { expect, test } from "vitest";
import { runController } from "../../test/running-controller.js";
import { shop, Website } from "../../test/website.js";
import { ConfigMap } from "../k8s/core/v1.gen.js";
import { controller } from "./index.js";

const settings = controller(Website, {
  owns: [ConfigMap],
  reconcile: async ({ object, apply }) => {
    await apply(ConfigMap, { metadata: { name: "settings" }, data: { image: object.spec.image } });
  },
});
const path = "/api/v1/namespaces/default/configmaps/settings";
const ofChild = (sent: readonly string[]): string[] => sent.filter((line) => line.includes("/configmaps"));

test("a child that the cache does not have is created by one request", async () => {
  await using running = await runController(settings, { install: [Website] });
  await running.client.create(Website, shop);
  await running.settle();
  expect(ofChild(running.sent)).toEqual([`PATCH ${path}`]);
});

test("a child that another client created a moment ago is not taken over", async () => {
  let isSilent = false;
  await using running = await runController(settings, {
    install: [Website],
    isSilent: (request) => isSilent && request.path.endsWith("/configmaps"),
  });
  isSilent = true;
  await running.client.create(ConfigMap, { metadata: { name: "settings" }, data: { image: "theirs" } });
  await running.client.create(Website, shop);
  await running.settle();
  expect(ofChild(running.sent)).toEqual([`PATCH ${path}`, `GET ${path}`]);
  expect(running.loop.failing.get("default/shop")?.message).toContain("no owner controls it");
  expect((await running.client.get(ConfigMap, "settings")).data).toEqual({ image: "theirs" });
});

test("a child that the cache still has is created again, and one of another client under its name is left", async () => {
  let isSilent = false;
  await using running = await runController(settings, {
    install: [Website],
    isSilent: (request) => isSilent && request.path.endsWith("/configmaps"),
  });
  await running.client.create(Website, shop);
  await running.settle();
  isSilent = true;
  await running.client.delete(ConfigMap, "settings");
  await running.client.patch(Website, "shop", { merge: { spec: { image: "shop:2" } } });
  await running.settle();
  expect((await running.client.get(ConfigMap, "settings")).data).toEqual({ image: "shop:2" });

  await running.client.delete(ConfigMap, "settings");
  await running.client.create(ConfigMap, { metadata: { name: "settings" }, data: { image: "theirs" } });
  await running.client.patch(Website, "shop", { merge: { spec: { image: "shop:3" } } });
  await running.settle();
  expect((await running.client.get(ConfigMap, "settings")).data).toEqual({ image: "theirs" });
  expect(running.loop.failing.get("default/shop")?.message).toContain("no owner controls it");
});

test.each([
  ["apply", settings],
  [
    "create with generateName",
    controller(Website, {
      owns: [ConfigMap],
      reconcile: async ({ create, list }) => {
        if ((await list(ConfigMap)).length === 0) await create(ConfigMap, { metadata: { generateName: "settings-" } });
      },
    }),
  ],
] as const)(
  "an owner that the server no longer has does not create its garbage-collected child again: %s",
  async (_, owning) => {
    let isSilent = false;
    await using running = await runController(owning, {
      install: [Website],
      isSilent: (request) => isSilent && request.path.endsWith("/websites"),
    });
    await running.client.create(Website, shop);
    await running.settle();
    isSilent = true;
    running.sent.length = 0;
    await running.client.delete(Website, "shop");
    await running.settle();
    await running.advance(10_000);
    expect(running.sent).toEqual(["GET /apis/web.example.com/v1/namespaces/default/websites/shop"]);
    expect((await running.client.listPage(ConfigMap)).items.map(({ metadata }) => metadata.name)).toEqual([]);
    expect([...running.loop.failing.keys()]).toEqual([]);

    isSilent = false;
    await running.client.create(Website, { ...shop, spec: { image: "shop:2" } });
    await running.settle();
    expect((await running.client.listPage(ConfigMap)).items).toHaveLength(1);
  },
);

test("an owner that is being deleted, unknown to the cache, gets no new child, and is finalized", async () => {
  let isSilent = false;
  const finalized: string[] = [];
  const finalizing = controller(Website, {
    owns: [ConfigMap],
    reconcile: async ({ apply }) => void (await apply(ConfigMap, { metadata: { name: "settings" } })),
    finalize: ({ object }) => void finalized.push(object.metadata.name),
  });
  await using running = await runController(finalizing, {
    install: [Website],
    isSilent: (request) => isSilent && request.path.endsWith("/websites"),
  });
  await running.client.create(Website, shop);
  await running.settle();
  isSilent = true;
  await running.client.delete(Website, "shop");
  await running.client.delete(ConfigMap, "settings");
  await running.settle();
  await running.advance(10_000);
  expect(finalized).toEqual(["shop"]);
  expect((await running.client.listPage(ConfigMap)).items).toEqual([]);
});

test("a child that is deleted again and again is created after growing delays", async () => {
  await using running = await runController(settings, { install: [Website] });
  await running.client.create(Website, shop);
  await running.settle();
  const exists = async (): Promise<boolean> => (await running.client.find(ConfigMap, "settings")) !== undefined;
  const deleteIt = async (): Promise<boolean> => {
    await running.client.delete(ConfigMap, "settings");
    await running.settle();
    return exists();
  };
  expect([await deleteIt(), await deleteIt(), await deleteIt(), await deleteIt()]).toEqual([true, true, true, false]);
  expect(running.loop.failing.get("default/shop")).toMatchObject({ code: "CHILD_DELETED" });
  await running.advance(1_000);
  expect(await exists()).toBe(true);
  await deleteIt();
  await running.advance(1_900);
  expect(await exists()).toBe(false);
  await running.advance(100);
  expect(await exists()).toBe(true);

  await running.advance(15_000);
  expect(await deleteIt()).toBe(true);
});
