import { expect, test } from "vitest";
import { runController } from "../../test/running-controller.js";
import { shop, Website } from "../../test/website.js";
import { ConfigMap } from "../k8s/core/v1.gen.js";
import { controller } from "./index.js";

/** Owns one ConfigMap per name. */
function version(
  name: string,
  formerNames: readonly string[],
  children: Readonly<Record<string, Record<string, string>>>,
) {
  return controller(Website, {
    name,
    formerNames,
    owns: [ConfigMap],
    reconcile: async ({ apply, prune }) => {
      for (const [child, data] of Object.entries(children)) await apply(ConfigMap, { metadata: { name: child }, data });
      await prune(ConfigMap);
    },
  });
}

test("a renamed controller removes the fields and the children that its former name applied", async () => {
  const before = await runController(version("website", [], { kept: { old: "1", same: "1" }, dropped: {} }), {
    install: [Website],
  });
  await before.client.create(Website, shop);
  await before.settle();
  await using after = await before.restart(version("site", ["website"], { kept: { same: "1", new: "1" } }));
  await after.settle();
  const kept = await after.client.get(ConfigMap, "kept");
  expect(kept.data).toEqual({ same: "1", new: "1" });
  expect(kept.metadata.managedFields?.map(({ manager }) => manager)).toEqual(["site"]);
  expect(await after.client.find(ConfigMap, "dropped")).toBeUndefined();
});

test("fields that another program wrote with operation Update are taken over, those of others stay", async () => {
  await using running = await runController(version("site", ["go-operator"], { kept: { same: "1" } }), {
    install: [Website],
  });
  const { client } = running;
  const { metadata } = await client.create(Website, shop);
  await running.settle();
  expect((await client.get(ConfigMap, "kept")).metadata.uid).toBeDefined();
  const merge = (data: object) => ({ merge: { data } });
  await client.patch(ConfigMap, "kept", merge({ theirs: "1" }), { fieldManager: "kubectl-edit" });
  await client.patch(ConfigMap, "kept", merge({ old: "1" }), { fieldManager: "go-operator" });
  await running.settle();
  const kept = await client.get(ConfigMap, "kept");
  expect(kept.data).toEqual({ same: "1", theirs: "1" });
  expect(kept.metadata.managedFields?.map(({ manager, operation }) => [manager, operation])).toEqual([
    ["site", "Apply"],
    ["kubectl-edit", "Update"],
  ]);
  const writes = running.sent.filter((line) => !line.startsWith("GET ")).length;
  await client.patch(Website, metadata.name, { merge: { metadata: { labels: { a: "b" } } } });
  await running.settle();
  expect(running.sent.filter((line) => !line.startsWith("GET ")).length).toBe(writes);
});
