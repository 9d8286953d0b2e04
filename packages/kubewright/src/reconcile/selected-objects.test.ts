import { expect, test } from "vitest";
import { runController } from "../../test/running-controller.js";
import { Website } from "../../test/website.js";
import { select } from "../cache/index.js";
import { ConfigMap, Secret } from "../k8s/core/v1.gen.js";
import { watch } from "../route/index.js";
import { controller } from "./index.js";

const site = (name: string, shard: string) => ({ metadata: { name, labels: { shard } }, spec: { image: "x:1" } });

test("a controller with a selector reconciles only matching objects, also one that starts to match later", async () => {
  const runs = new Set<string>();
  const first = controller(Website, {
    select: { labels: { shard: "1" } },
    reconcile: ({ object }) => void runs.add(object.metadata.name),
  });
  await using running = await runController(first, { install: [Website] });
  await running.client.create(Website, site("mine", "1"));
  await running.client.create(Website, site("theirs", "2"));
  await running.settle();
  expect([...runs]).toEqual(["mine"]);
  await running.client.patch(Website, "theirs", { merge: { metadata: { labels: { shard: "1" } } } });
  await running.client.patch(Website, "mine", { merge: { metadata: { labels: { shard: "2" } } } });
  await running.settle();
  expect([...runs]).toEqual(["mine", "theirs"]);
});

test("reads return selected objects only, and a watch with a selector receives no others", async () => {
  const seen: unknown[] = [];
  const reading = controller(Website, {
    uses: [select(Secret, { labels: { app: "web" }, transform: ({ data: _, ...rest }) => rest })],
    watches: [watch(ConfigMap, { labels: "site", to: ({ metadata }) => metadata.labels?.["site"] })],
    reconcile: async ({ find, list }) => {
      const [token, other] = [await find(Secret, "token"), await find(Secret, "other")];
      seen.push([token?.type, token?.data, other, (await list(ConfigMap)).map(({ metadata }) => metadata.name)]);
    },
  });
  await using running = await runController(reading, { install: [Website] });
  const { client } = running;
  await client.create(Secret, { metadata: { name: "token", labels: { app: "web" } }, data: { key: "eA==" } });
  await client.create(Secret, { metadata: { name: "other" } });
  await client.create(ConfigMap, { metadata: { name: "apart" } });
  await running.settle();
  await client.create(Website, site("shop", "1"));
  await running.settle();
  expect(seen.at(-1)).toEqual(["Opaque", undefined, undefined, []]);
  await client.create(ConfigMap, { metadata: { name: "config", labels: { site: "shop" } } });
  await running.settle();
  expect(seen.at(-1)).toEqual(["Opaque", undefined, undefined, ["config"]]);
});

test("two watches of one kind with different selectors must declare in uses which of them is read", () => {
  const to = () => undefined;
  const watches = [watch(Secret, { labels: "a", to }), watch(Secret, { labels: "b", to })];
  expect(() => controller(Website, { watches, reconcile: () => {} })).toThrow("two selections of Secret are watched");
  expect(() => controller(Website, { watches, uses: [Secret], reconcile: () => {} })).not.toThrow();
});

test("list uses one or several indexes and includes the controller's own writes; an unknown index is rejected", async () => {
  const found: Record<string, string[]> = {};
  const errors: string[] = [];
  const looking = controller(Secret, {
    owns: [ConfigMap],
    uses: [
      select(ConfigMap, {
        indexes: {
          host: ({ data }) => data?.["host"],
          letters: ({ metadata }) => {
            if (metadata.name === "odd") throw new Error("broken index");
            return [...metadata.name];
          },
        },
      }),
    ],
    reconcile: async ({ object, apply, list }) => {
      const { name } = object.metadata;
      await apply(ConfigMap, { metadata: { name: `own-${name}` }, data: { host: "own" } });
      const names = async (index: { host?: string; letters?: string }) =>
        (await list(ConfigMap, { index })).map(({ metadata }) => metadata.name).sort();
      found["a"] = await names({ host: "a" });
      found["own"] = await names({ host: "own" });
      found["both"] = await names({ host: "a", letters: "y" });
      found["none"] = await names({ host: "nowhere" });
      const wrong = list as unknown as (kind: unknown, options: object) => Promise<unknown>;
      await wrong(ConfigMap, { index: { port: "1" } }).catch((error: Error) => errors.push(error.message));
    },
  });
  await using running = await runController(looking);
  const make = (name: string, host: string) => running.client.create(ConfigMap, { metadata: { name }, data: { host } });
  for (const [name, host] of [
    ["x", "a"],
    ["y", "a"],
    ["z", "b"],
    ["odd", "a"],
  ] as const)
    await make(name, host);
  await running.client.create(Secret, { metadata: { name: "s" } });
  await running.settle();
  expect(found).toEqual({ a: ["odd", "x", "y"], own: ["own-s"], both: ["y"], none: [] });
  expect(errors[0]).toContain('Cannot list ConfigMap objects by "port": there is no such index');
  await running.client.patch(ConfigMap, "x", { merge: { data: { host: "b" } } });
  await running.client.delete(ConfigMap, "y");
  await running.client.patch(Secret, "s", { merge: { metadata: { labels: { again: "1" } } } });
  await running.settle();
  expect(found).toEqual({ a: ["odd"], own: ["own-s"], both: [], none: [] });
  expect(running.loop.failing.size).toBe(0);
});
