import { expect, test } from "vitest";
import { startWorld } from "../../test/embedded-world.js";
import { shop, Website } from "../../test/website.js";
import { dynamic } from "../client/index.js";
import { crdOf } from "../definition/index.js";
import { CustomResourceDefinition } from "../k8s/apiextensions/v1.gen.js";
import { ConfigMap, Namespace, Secret } from "../k8s/core/v1.gen.js";
import { controller, may, rawController } from "../reconcile/index.js";
import { every, watch } from "../route/index.js";
import { operator } from "./index.js";

test("a raw controller defines its keys: many objects map to one key, and an update maps both the old and the new object", async () => {
  await using world = await startWorld();
  const { client, clock } = world;
  const runs: string[] = [];
  const teams = rawController({
    name: "teams",
    keys: ["all"],
    uses: [may(ConfigMap, "create", "patch", "delete")],
    watches: [
      watch(Secret, { labels: "team", to: ({ metadata }) => metadata.labels?.["team"] }),
      watch(Namespace, {
        to: ({ metadata }) => {
          if (metadata.name === "odd") throw new Error("broken mapping");
          return { name: `namespace-${metadata.name}` };
        },
      }),
    ],
    sources: [every("10m")],
    reconcile: async ({ key, list, apply, delete: remove, causes, requeueAfter }) => {
      runs.push(`${key} ${causes.map(({ source }) => source).join()}`);
      if (key === "broken") throw new Error("it is broken");
      if (key === "all" || key.startsWith("namespace-")) return;
      const secrets = await list(Secret, { labels: { team: key } });
      const name = { namespace: "default", name: `team-${key}` };
      if (secrets.length === 0) await remove(ConfigMap, name);
      else await apply(ConfigMap, { metadata: name, data: { secrets: String(secrets.length) } });
      return requeueAfter("1h");
    },
  });
  const plain = controller(Namespace, { reconcile: () => {} });
  const both = operator({ name: "doors", controllers: [plain, teams] });
  expect(both.controllers).toEqual([plain]);
  expect(both.rawControllers).toEqual([teams]);
  expect(both.rules()).toContainEqual({
    apiGroups: [""],
    resources: ["configmaps"],
    verbs: ["create", "delete", "patch"],
  });
  await using running = await both.start(world.options);
  await world.settle(running);
  expect(runs).toContain("all every");
  expect(runs).toContain("namespace-default watches");
  const secret = (name: string, team: string) => client.create(Secret, { metadata: { name, labels: { team } } });
  await secret("one", "a");
  await secret("two", "a");
  await secret("three", "broken");
  await client.create(Namespace, { metadata: { name: "odd" } });
  await world.settle(running);
  expect((await client.get(ConfigMap, "team-a")).data).toEqual({ secrets: "2" });
  expect(running.failing()).toMatchObject([{ controller: "teams", key: "broken" }]);

  await client.patch(Secret, "two", { merge: { metadata: { labels: { team: "b" } } } });
  await world.settle(running);
  expect((await client.get(ConfigMap, "team-a")).data).toEqual({ secrets: "1" });
  expect((await client.get(ConfigMap, "team-b")).data).toEqual({ secrets: "1" });
  await client.delete(Secret, "two");
  await world.settle(running);
  expect(await client.find(ConfigMap, "team-b")).toBeUndefined();

  runs.length = 0;
  clock.advance(600_000);
  await world.settle(running);
  expect(runs).toContain("all every");
  expect(runs.some((run) => /^a .*every/.test(run))).toBe(true);
});

test("a raw controller cannot access kinds that it did not declare, and needs keys, watches or sources", async () => {
  await using world = await startWorld();
  const errors: string[] = [];
  const meddling = rawController({
    name: "meddling",
    keys: ["once"],
    reconcile: async (context) => {
      const open = context as unknown as Record<string, (...args: unknown[]) => Promise<unknown>>;
      const name = { namespace: "default", name: "x" };
      for (const [verb, args] of Object.entries({
        get: [name],
        apply: [{ metadata: name }],
        create: [{ metadata: name }],
        patch: [name, { merge: {} }],
        delete: [name],
      }))
        await open[verb]?.(Secret, ...args).catch((error: Error) => errors.push(error.message));
    },
  });
  await using running = await operator({ name: "doors", controllers: [meddling] }).start(world.options);
  await world.settle(running);
  expect(errors).toHaveLength(5);
  for (const error of errors) expect(error).toContain("declare /v1/Secret in `owns`, `uses` or `watches`");
  expect(() => rawController({ name: "idle", reconcile: () => {} })).toThrow("no source of keys");
  expect(() => rawController({ name: "", keys: ["a"], reconcile: () => {} })).toThrow("it has no name");
});

test("kinds that are known only at run time are reconciled, also by a controller that is added to a running operator", async () => {
  await using world = await startWorld();
  const { client } = world;
  await client.create(CustomResourceDefinition, crdOf(Website));
  const seen: unknown[] = [];
  const namespaces = controller(Namespace, { reconcile: () => {} });
  await using running = await operator({ name: "doors", controllers: [namespaces] }).start(world.options);
  const found = await client.kind("websites");
  await running.add(
    controller(found, {
      owns: [ConfigMap],
      reconcile: async ({ object, apply, status }) => {
        seen.push(object["spec"]);
        await apply(ConfigMap, { metadata: { name: object.metadata.name } });
        Object.assign(status as object, { url: "https://found" });
      },
    }),
  );
  await client.create(Website, shop);
  await world.settle(running);
  expect(seen[0]).toMatchObject({ image: "shop:1" });
  expect((await client.get(Website, "shop")).status?.url).toBe("https://found");
  expect((await client.get(ConfigMap, "shop")).metadata.ownerReferences?.[0]).toMatchObject({ kind: "Website" });

  const made = dynamic({ apiVersion: "web.example.com/v1", kind: "Website", plural: "websites", scope: "Namespaced" });
  expect((await client.get(made, "shop"))["spec"]).toMatchObject({ image: "shop:1" });
  expect(() => dynamic({ apiVersion: "a/b/c", kind: "X", plural: "xs", scope: "Cluster" })).toThrow(
    "Cannot name the kind",
  );
});
