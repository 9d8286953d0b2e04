import { expect, test } from "vitest";
import { runController } from "../../test/running-controller.js";
import { shop, Website } from "../../test/website.js";
import { select } from "../cache/index.js";
import { Deployment } from "../k8s/apps/v1.gen.js";
import { ConfigMap, Secret } from "../k8s/core/v1.gen.js";
import { type Cause, describeCause, refersTo, watch } from "../route/index.js";
import {
  type AnyController,
  CachedKinds,
  controller,
  live,
  may,
  rawController,
  TerminalError,
  untracked,
} from "./index.js";

const install = [Website];
const named = (name: string) => ({ metadata: { name }, spec: { image: "web:1" } });
const configMap = (name: string, labels: Record<string, string>, data: Record<string, string> = {}) => ({
  metadata: { name, labels },
  data,
});

/** Runs a controller, and creates a Website named `shop`. `because` returns the causes of the runs since the last call. */
async function start(describe: (note: (causes: readonly Cause[]) => void) => AnyController) {
  const noted: string[] = [];
  const running = await runController(
    describe((causes) => noted.push(causes.map(describeCause).join("; "))),
    { install },
  );
  await running.client.create(Website, shop);
  await running.settle();
  const because = async (): Promise<string[]> => {
    await running.settle();
    return noted.splice(0);
  };
  await because();
  return { ...running, because, [Symbol.asyncDispose]: () => running[Symbol.asyncDispose]() };
}

test("an object runs again when what it read appears, changes and disappears, with that cause", async () => {
  await using run = await start((note) =>
    controller(Website, {
      uses: [Secret],
      reconcile: async ({ causes, find }) => {
        note(causes);
        await find(Secret, "a-token");
      },
    }),
  );
  await run.client.create(Secret, { metadata: { name: "other-token" } });
  expect(await run.because()).toEqual([]);
  await run.client.create(Secret, { metadata: { name: "a-token" }, data: { token: "YQ==" } });
  expect(await run.because()).toEqual(["read Secret default/a-token, added"]);
  await run.client.patch(Secret, "a-token", { merge: { data: { token: "Yg==" } } });
  expect(await run.because()).toEqual(["read Secret default/a-token, changed .data.token"]);
  await run.client.delete(Secret, "a-token");
  expect(await run.because()).toEqual(["read Secret default/a-token, deleted"]);
});

test("an object runs again when an object starts to match, changes or stops to match a list that it read", async () => {
  await using run = await start((note) =>
    controller(Website, {
      uses: [select(ConfigMap, { indexes: { site: ({ data }) => data?.["site"] } })],
      reconcile: async ({ causes, list }) => {
        note(causes);
        await list(ConfigMap, { labels: "tier in (web, api), !canary" });
        await list(ConfigMap, { labels: { matchLabels: { part: "site" } }, fields: { "data.mode": "fast" } });
        await list(ConfigMap, { index: { site: "shop" }, allNamespaces: true });
      },
    }),
  );
  await run.client.create(ConfigMap, configMap("a", { tier: "db", part: "site" }, { mode: "slow", site: "other" }));
  expect(await run.because()).toEqual([]);
  await run.client.patch(ConfigMap, "a", { merge: { metadata: { labels: { tier: "api" } } } });
  expect(await run.because()).toEqual(["read ConfigMap default/a, changed .metadata.labels.tier"]);
  await run.client.patch(ConfigMap, "a", { merge: { metadata: { labels: { canary: "yes" } } } });
  expect(await run.because()).toHaveLength(1);
  await run.client.patch(ConfigMap, "a", { merge: { data: { mode: "off" } } });
  expect(await run.because()).toEqual([]);
  await run.client.patch(ConfigMap, "a", { merge: { data: { mode: "fast" } } });
  expect(await run.because()).toEqual(["read ConfigMap default/a, changed .data.mode"]);
  await run.client.patch(ConfigMap, "a", { merge: { data: { mode: "slow", site: "shop" } } });
  expect(await run.because()).toHaveLength(1);
  await run.client.patch(ConfigMap, "a", { merge: { data: { site: "none" } } });
  expect(await run.because()).toEqual(["read ConfigMap default/a, changed .data.site"]);
});

test("a completed run replaces the reads of the one before, a failed one keeps both", async () => {
  const fail = { now: false };
  await using run = await start((note) =>
    controller(Website, {
      uses: [Secret],
      reconcile: async ({ object, causes, find }) => {
        note(causes);
        await find(Secret, object.spec.image);
        if (fail.now) throw new TerminalError("by design");
      },
    }),
  );
  const touched = async (name: string): Promise<boolean> => {
    await run.client.apply(
      Secret,
      { metadata: { name, annotations: { at: `${Math.random()}` } } },
      { fieldManager: "test", force: true },
    );
    return (await run.because()).length > 0;
  };
  const read = async (name: string): Promise<void> => {
    await run.client.patch(Website, "shop", { merge: { spec: { image: name } } });
    await run.because();
  };
  await read("one");
  await read("two");
  expect([await touched("one"), await touched("two")]).toEqual([false, true]);
  fail.now = true;
  await read("three");
  expect([await touched("one"), await touched("two"), await touched("three")]).toEqual([false, true, true]);
  await read("four");
  expect([await touched("two"), await touched("three"), await touched("four")]).toEqual([true, false, true]);
  fail.now = false;
  await read("five");
  expect([await touched("two"), await touched("four"), await touched("five")]).toEqual([false, false, true]);
  await run.client.delete(Website, "shop");
  await run.because();
  expect(await touched("five")).toBe(false);
});

test("a change between the read and the end of the run triggers another run", async () => {
  let finish = (): void => {};
  const waiting = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const seen: (string | undefined)[] = [];
  await using run = await runController(
    controller(Website, {
      uses: [Secret],
      reconcile: async ({ find }) => {
        const secret = await find(Secret, "token");
        seen.push(secret?.metadata.labels?.["v"]);
        if (seen.length === 1) await waiting;
      },
    }),
    { install },
  );
  await run.client.create(Website, shop);
  for (let turn = 0; seen.length === 0 && turn < 100; turn++) await new Promise((resolve) => setImmediate(resolve));
  await run.client.create(Secret, { metadata: { name: "token", labels: { v: "1" } } });
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
  finish();
  await run.settle();
  expect(seen).toEqual([undefined, "1"]);
});

test("live, untracked and merely watched kinds trigger nothing by being read", async () => {
  await using run = await start((note) =>
    controller(Website, {
      uses: [live(Secret), untracked(select(ConfigMap, { indexes: { site: ({ data }) => data?.["site"] } }))],
      watches: [watch(Deployment, { to: () => undefined })],
      reconcile: async ({ causes, find, list }) => {
        note(causes);
        await find(Secret, "a");
        await find(ConfigMap, "a");
        await list(ConfigMap, { index: { site: "shop" } });
        await list(Deployment);
      },
    }),
  );
  await run.client.create(Secret, { metadata: { name: "a" } });
  await run.client.create(ConfigMap, configMap("a", {}, { site: "shop" }));
  await run.client.create(Deployment, {
    metadata: { name: "a" },
    spec: {
      selector: { matchLabels: { app: "a" } },
      template: { metadata: { labels: { app: "a" } }, spec: { containers: [{ name: "a", image: "a" }] } },
    },
  });
  expect(await run.because()).toEqual([]);
});

test("a controller lists its own kind, and each object depends on the others, not on itself", async () => {
  const runs: string[] = [];
  await using run = await start(() =>
    controller(Website, {
      when: ({ kind, old }) => kind === "added" && old === undefined,
      reconcile: async ({ object, list, find }) => {
        const all = await list(Website);
        await find(Website, object.metadata.name);
        runs.push(`${object.metadata.name} of ${all.length}`);
      },
    }),
  );
  runs.length = 0;
  await run.client.create(Website, named("blog"));
  await run.settle();
  expect(runs.sort()).toEqual(["blog of 2", "shop of 2"]);
  runs.length = 0;
  await run.client.patch(Website, "blog", { merge: { spec: { image: "web:2" } } });
  await run.settle();
  expect(runs).toEqual(["shop of 2"]);
});

test("an object of an owned kind that is not a child triggers what read it", async () => {
  await using run = await start((note) =>
    controller(Website, {
      owns: [ConfigMap],
      reconcile: async ({ object, causes, find, apply }) => {
        note(causes);
        await find(ConfigMap, "shared");
        await find(ConfigMap, object.metadata.name);
        await apply(ConfigMap, { metadata: { name: object.metadata.name }, data: {} });
      },
    }),
  );
  await run.client.create(ConfigMap, configMap("shared", {}));
  expect(await run.because()).toEqual(["read ConfigMap default/shared, added"]);
  await run.client.patch(ConfigMap, "shop", { merge: { data: { extra: "1" } } });
  expect((await run.because())[0]).toBe("child ConfigMap default/shop, changed .data");
});

test("the reads of a raw controller trigger its keys", async () => {
  await using run = await start((note) =>
    rawController({
      name: "raw",
      keys: ["all"],
      uses: [ConfigMap],
      reconcile: async ({ causes, list }) => {
        note(causes);
        await list(ConfigMap, { namespace: "default" });
      },
    }),
  );
  await run.client.create(ConfigMap, configMap("a", {}));
  expect(await run.because()).toEqual(["read ConfigMap default/a, added"]);
});

test("a controller that writes what it reads runs once more, and one that never writes the same twice backs off; changes by others count at once", async () => {
  let counts = true;
  await using run = await start((note) =>
    controller(Website, {
      uses: [ConfigMap, may(ConfigMap, "patch")],
      reconcile: async ({ causes, find, patch }) => {
        note(causes);
        const found = await find(ConfigMap, "counter");
        if (found === undefined) return;
        const count = counts ? `${Number(found.data?.["count"] ?? "0") + 1}` : "done";
        await patch(ConfigMap, "counter", { merge: { data: { count } } });
      },
    }),
  );
  await run.client.create(ConfigMap, configMap("counter", {}));
  let runs = (await run.because()).length;
  expect(runs).toBe(1);
  for (let second = 0; second < 60; second++) {
    await run.advance(1_000);
    runs += (await run.because()).length;
  }
  expect(runs).toBeGreaterThan(5);
  expect(runs).toBeLessThan(20);
  counts = false;
  await run.client.patch(ConfigMap, "counter", { merge: { data: { by: "another" } } });
  expect(await run.because()).toHaveLength(1);
  await run.advance(5);
  expect(await run.because()).toEqual(["read ConfigMap default/counter, changed .data.count"]);
  await run.advance(3_600_000);
  expect(await run.because()).toEqual([]);
});

test("refersTo maps a changed object to those that have its name under a declared index", async () => {
  const sites = select(Website, { indexes: { token: ({ spec }) => spec.host } });
  await using run = await start((note) =>
    controller(Website, {
      watches: [watch(Secret, { reads: [sites], to: refersTo(Website, "token") })],
      reconcile: ({ causes }) => note(causes),
    }),
  );
  await run.client.patch(Website, "shop", { merge: { spec: { host: "token" } } });
  await run.because();
  await run.client.create(Secret, { metadata: { name: "other" } });
  expect(await run.because()).toEqual([]);
  await run.client.create(Secret, { metadata: { name: "token" } });
  expect(await run.because()).toEqual(["watched Secret default/token, added"]);
  await run.client.patch(Website, "shop", { merge: { spec: { host: "kube-system/token" } } });
  await run.because();
  await run.client.create(Secret, { metadata: { name: "token", namespace: "kube-system" } });
  expect(await run.because()).toEqual(["watched Secret kube-system/token, added"]);
});

test("what a mapping reads does not change what a run reads", () => {
  const indexed = select(ConfigMap, { indexes: { site: ({ data }) => data?.["site"] } });
  const watching = controller(Website, {
    watches: [watch(ConfigMap, { labels: { part: "site" }, reads: [indexed], to: () => undefined })],
    reconcile: () => {},
  });
  const caches = new CachedKinds(watching);
  expect(caches.readFrom(ConfigMap)?.labels).toBe("part=site");
  expect(caches.readFrom(ConfigMap, ["site"])?.labels).toBeUndefined();
  expect(caches.tracked.map(({ kind }) => kind.id)).toEqual([Website.id]);
});
