import { isOperatorError } from "@kubewright/core/errors";
import { expect, test } from "vitest";
import { runController } from "../../test/running-controller.js";
import { shop, Website } from "../../test/website.js";
import { select } from "../cache/index.js";
import { ConfigMap, Secret } from "../k8s/core/v1.gen.js";
import { controller } from "./index.js";

const labels = { app: "website" };
const changes = (sent: readonly string[]): string[] =>
  sent.filter((line) => !line.startsWith("GET ") && line.includes("/secrets"));

test("children of a selection get its labels, are watched, repaired and pruned; others are not cached", async () => {
  const listed: string[][] = [];
  let keys = ["a", "b"];
  let isFirst = true;
  const selecting = controller(Website, {
    owns: [select(Secret, { labels })],
    reconcile: async ({ apply, create, ensure, list, prune }) => {
      for (const name of keys)
        await apply(Secret, { metadata: { name, labels: { tier: "1" } }, stringData: { key: name } });
      await ensure(Secret, "ensured", () => ({}));
      if (isFirst) await create(Secret, { metadata: { name: "created" } });
      isFirst = false;
      await prune(Secret);
      listed.push((await list(Secret)).map(({ metadata }) => metadata.name).sort());
    },
  });
  await using running = await runController(selecting, { install: [Website] });
  const { client, sent } = running;
  await client.create(Secret, { metadata: { name: "theirs" } });
  await client.create(Website, shop);
  await running.settle();
  expect(listed[0]).toEqual(["a", "b", "created", "ensured"]);
  expect((await client.get(Secret, "a")).metadata.labels).toEqual({ app: "website", tier: "1" });
  expect((await client.get(Secret, "ensured")).metadata.labels).toEqual(labels);
  // The run after the first one pruned what it did not create again.
  expect(listed.at(-1)).toEqual(["a", "b", "ensured"]);

  sent.length = 0;
  await client.patch(Secret, "a", { merge: { data: { key: "eA==" } } });
  await running.settle();
  expect(changes(sent)).toEqual(["PATCH /api/v1/namespaces/default/secrets/a"]);
  // Without the label it leaves the cache; the apply that follows finds it on the server.
  await client.patch(Secret, "a", { merge: { metadata: { labels: { app: null } } } });
  await running.settle();
  expect((await client.get(Secret, "a")).metadata.labels).toEqual({ app: "website", tier: "1" });
  expect(running.loop.failing.size).toBe(0);

  keys = ["b"];
  await client.patch(Website, "shop", { merge: { spec: { host: "b.example.com" } } });
  await running.settle();
  expect(await client.find(Secret, "a")).toBeUndefined();
  expect((await client.get(Secret, "theirs")).metadata.labels).toBeUndefined();
});

test("a child outside of the selection is rejected before it is written, or after it where the server sets the field", async () => {
  const errors: string[] = [];
  const selecting = controller(Website, {
    owns: [select(Secret, { labels: "app=website,tier in (1,2)", fields: { type: "example.com/token" } })],
    reconcile: async ({ apply, ensure }) => {
      const tier = { tier: "1" };
      const attempts = [
        () => apply(Secret, { metadata: { name: "a", labels: { ...tier, app: "other" } } }),
        () => apply(Secret, { metadata: { name: "b" } }),
        () => ensure(Secret, "c", () => ({ metadata: { labels: tier }, type: "Opaque" })),
        () => apply(Secret, { metadata: { name: "d", labels: tier } }),
        () => apply(Secret, { metadata: { name: "e", labels: tier }, type: "example.com/token" }),
      ];
      for (const attempt of attempts)
        await attempt().catch((error: unknown) => errors.push(isOperatorError(error) ? error.message : String(error)));
    },
  });
  await using running = await runController(selecting, { install: [Website] });
  await running.client.create(Website, shop);
  await running.settle();
  const why = (verb: string, name: string, has: string) =>
    `Cannot ${verb} Secret "default/${name}": \`owns\` selects only objects with labels "app=website,tier in (1,2)" and fields "type=example.com/token", and ${has}; another one would not be watched`;
  expect(errors.slice(0, 4)).toEqual([
    why("apply", "a", `its labels are "app=other,tier=1"`),
    why("apply", "b", `its labels are "app=website"`),
    why("ensure", "c", `its labels are "app=website,tier=1"`),
    why("apply", "d", `its labels are "app=website,tier=1"`),
  ]);
  expect(await running.client.find(Secret, "a")).toBeUndefined();
  expect((await running.client.get(Secret, "e")).metadata.labels).toEqual({ app: "website", tier: "1" });
});

test("a transformed child is not applied again while nothing changes", async () => {
  const transforming = controller(Website, {
    owns: [select(Secret, { labels, transform: ({ data: _, ...rest }) => rest })],
    reconcile: async ({ apply, find }) => {
      await apply(Secret, { metadata: { name: "token" }, stringData: { key: "value" } });
      expect((await find(Secret, "token"))?.data).toBeUndefined();
    },
  });
  await using running = await runController(transforming, { install: [Website] });
  await running.client.create(Website, shop);
  await running.settle();
  running.sent.length = 0;
  for (const host of ["a.example.com", "b.example.com"])
    await running.client.patch(Website, "shop", { merge: { spec: { host } } }).then(() => running.settle());
  expect(changes(running.sent)).toEqual([]);
  expect(running.loop.failing.size).toBe(0);
});

test("reads see what uses declares, while children are those of the owned selection", async () => {
  const seen: string[][] = [];
  const reading = controller(Website, {
    owns: [select(ConfigMap, { labels })],
    uses: [ConfigMap],
    reconcile: async ({ apply, list, prune }) => {
      await apply(ConfigMap, { metadata: { name: "own" } });
      await prune(ConfigMap);
      seen.push(
        (await list(ConfigMap, { fields: "metadata.name!=kube-root-ca.crt" })).map(({ metadata }) => metadata.name),
      );
    },
  });
  await using running = await runController(reading, { install: [Website] });
  await running.client.create(ConfigMap, { metadata: { name: "theirs" } });
  await running.client.create(Website, shop);
  await running.settle();
  expect(seen.at(-1)?.sort()).toEqual(["own", "theirs"]);
});

test("one kind with two selections in owns is rejected", () => {
  const owns = [select(Secret, { labels }), Secret] as const;
  expect(() => controller(Website, { owns, reconcile: () => {} })).toThrow("it declares Secret twice in `owns`");
});
