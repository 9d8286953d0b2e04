import { startCluster } from "@kubewright/cluster";
import { FakeClock } from "@kubewright/core/clock";
import type { LogFields, Logger } from "@kubewright/core/log";
import fc from "fast-check";
import { expect, test } from "vitest";
import { ConfigMap, Namespace, Secret } from "../../test/kinds.js";
import { createClient, metadataOnly } from "../client/index.js";
import { CachedClient, type Change, InformerSet, type InformerSetOptions, Selection } from "./index.js";

type Options = Partial<Pick<InformerSetOptions, "namespaces" | "logger">>;

/** Informers of an embedded cluster; `prepare` must request all informers that the test uses. */
async function start(options: Options = {}) {
  const clock = new FakeClock();
  const cluster = await startCluster({ clock });
  const client = createClient(cluster.transport);
  const informers = new InformerSet({ client, clock, random: () => 0.5, ...options });
  const abort = new AbortController();
  const running = informers.run(abort.signal);
  const settle = async (): Promise<void> => {
    for (let quiet = 0; quiet < 3; ) {
      await new Promise((resolve) => setImmediate(resolve));
      quiet = cluster.idle && informers.idle ? quiet + 1 : 0;
    }
  };
  return {
    client,
    informers,
    settle,
    [Symbol.asyncDispose]: async () => {
      abort.abort();
      await running;
      await cluster.close();
    },
  };
}

const web = new Selection({ labels: { app: "web" } });
const labelled = (name: string, app: string) => ({ metadata: { name, labels: { app } } });
const namesOf = (objects: readonly { metadata: { name: string } }[]) =>
  objects.map(({ metadata }) => metadata.name).sort();

test("a label selection caches only matching objects, and an object that stops matching is deleted", async () => {
  await using run = await start();
  await run.client.create(ConfigMap, labelled("a", "web"));
  await run.client.create(ConfigMap, labelled("b", "other"));
  const informer = run.informers.informer(ConfigMap, web);
  const changes: string[] = [];
  informer.addHandler((change: Change<typeof ConfigMap>) =>
    changes.push(`${change.kind} ${(change.new ?? change.old).metadata.name}`),
  );
  await run.settle();
  expect(namesOf(informer.list())).toEqual(["a"]);
  await run.client.patch(ConfigMap, "b", { merge: { metadata: { labels: { app: "web" } } } });
  await run.client.patch(ConfigMap, "a", { merge: { metadata: { labels: { app: "other" } } } });
  await run.settle();
  expect(changes).toEqual(["added a", "added b", "deleted a"]);
  expect(namesOf(informer.list())).toEqual(["b"]);
});

test("a field selection and a metadata-only kind have separate caches", async () => {
  await using run = await start();
  for (const name of ["a", "b"]) await run.client.create(ConfigMap, { ...labelled(name, "web"), data: { key: "x" } });
  const one = run.informers.informer(ConfigMap, new Selection({ fields: { "metadata.name": "b" } }));
  const all = run.informers.informer(ConfigMap);
  const lean = run.informers.informer(metadataOnly(ConfigMap));
  await run.settle();
  expect([namesOf(one.list()), namesOf(all.list()), namesOf(lean.list())]).toEqual([["b"], ["a", "b"], ["a", "b"]]);
  expect(Object.keys(lean.list()[0] ?? {}).sort()).toEqual(["apiVersion", "kind", "metadata"]);
  expect(run.informers.informer(ConfigMap, new Selection({ fields: "metadata.name=b" }))).toBe(one);
});

test("a transform reduces cached objects; if it fails or drops metadata, the whole object is cached and an error is logged", async () => {
  const errors: string[] = [];
  const logger: Logger = {
    debug() {},
    info() {},
    warn() {},
    error: (_: LogFields, message: string) => errors.push(message),
    child: () => logger,
  };
  await using run = await start({ logger });
  await run.client.create(ConfigMap, { metadata: { name: "a" }, data: { key: "x" } });
  const lean = run.informers.informer(
    ConfigMap,
    new Selection({ transform: ({ apiVersion, kind, metadata }: never) => ({ apiVersion, kind, metadata }) as never }),
  );
  const broken = run.informers.informer(ConfigMap, new Selection({ transform: () => ({}) as never }));
  await run.settle();
  expect(lean.list()[0]?.data).toBeUndefined();
  expect(broken.list()[0]?.data).toEqual({ key: "x" });
  expect(errors).toEqual(["Transform failed, the whole object is cached"]);
});

test("several namespaces share one cache that is synced after each was listed; other namespaces are not covered", async () => {
  await using run = await start({ namespaces: new Map([["", ["one", "two"]]]) });
  for (const name of ["one", "two", "three"]) {
    await run.client.create(Namespace, { metadata: { name } });
    await run.client.create(ConfigMap, { metadata: { name: `in-${name}`, namespace: name } });
  }
  const informer = run.informers.informer(ConfigMap);
  expect(informer.synced).toBe(false);
  await run.settle();
  expect(namesOf(informer.list())).toEqual(["in-one", "in-two"]);
  const cached = new CachedClient(run.client, run.informers);
  expect(namesOf(await cached.list(ConfigMap, { namespace: "two" }))).toEqual(["in-two"]);
  await expect(cached.list(ConfigMap, { namespace: "three" })).rejects.toThrow("no informer watches them");
  await expect(cached.list(ConfigMap, { allNamespaces: true })).rejects.toThrow("no informer watches them");
  await run.client.delete(ConfigMap, { name: "in-one", namespace: "one" });
  await run.settle();
  expect(namesOf(informer.list())).toEqual(["in-two"]);
});

test("an informer stops when its last holder releases it, and can be requested again", async () => {
  await using run = await start();
  await run.client.create(ConfigMap, labelled("a", "web"));
  const releases = [run.informers.hold(ConfigMap, web), run.informers.hold(ConfigMap, web)];
  const first = run.informers.informer(ConfigMap, web);
  await run.settle();
  await releases[0]?.();
  await releases[0]?.();
  expect(first.state.kind).toBe("watch");
  await releases[1]?.();
  expect(first.state.kind).toBe("stopped");
  expect(run.informers.all).toEqual([]);
  const second = run.informers.informer(ConfigMap, web);
  expect(second).not.toBe(first);
  await run.settle();
  expect(second.size).toBe(1);
});

test("caching all Secrets of the cluster logs a warning; a selection of them does not", async () => {
  const warnings: LogFields[] = [];
  const logger: Logger = {
    debug() {},
    info() {},
    warn: (fields: LogFields) => warnings.push(fields),
    error() {},
    child: () => logger,
  };
  await using run = await start({ logger });
  run.informers.informer(Secret, web);
  run.informers.informer(metadataOnly(Secret));
  expect(warnings).toEqual([]);
  run.informers.informer(Secret);
  run.informers.informer(Secret);
  expect(warnings).toEqual([{ kind: "/v1/Secret" }]);
});

test("the estimated size is close to the real one", async () => {
  await using run = await start();
  for (let index = 0; index < 120; index++)
    await run.client.create(ConfigMap, { metadata: { name: `c${index}` }, data: { key: "x".repeat(index * 10) } });
  const informer = run.informers.informer(ConfigMap);
  await run.settle();
  const truth = informer.list().reduce((sum, object) => sum + JSON.stringify(object).length, 0);
  expect(Math.abs(informer.approximateBytes - truth) / truth).toBeLessThan(0.1);
});

test("reads of a selection show any write as the server would, before and after its watch event", async () => {
  const step = fc.record({
    name: fc.constantFrom("a", "b"),
    app: fc.constantFrom("web", "other", undefined),
    settle: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
      await using run = await start();
      const informer = run.informers.informer(ConfigMap, web);
      const cached = new CachedClient(run.client, run.informers, () => web);
      await run.settle();
      const model = new Map<string, string>();
      for (const { name, app, settle } of steps) {
        if (app === undefined) {
          if (model.delete(name)) await cached.delete(ConfigMap, name);
        } else if (model.has(name)) {
          await cached.patch(ConfigMap, name, { merge: { metadata: { labels: { app } } } });
          model.set(name, app);
        } else {
          await cached.create(ConfigMap, labelled(name, app));
          model.set(name, app);
        }
        if (settle) await run.settle();
        const expected = [...model].filter(([, value]) => value === "web").map(([key]) => key);
        // An object that was never shown cannot be hidden: one deleted before its watch event may appear briefly.
        if (settle) expect(namesOf(informer.list())).toEqual(expected.sort());
        for (const key of expected) expect(await cached.find(ConfigMap, key)).toBeDefined();
      }
      await run.settle();
      expect(namesOf(informer.list())).toEqual(
        [...model]
          .filter(([, value]) => value === "web")
          .map(([key]) => key)
          .sort(),
      );
    }),
    { numRuns: 30 },
  );
});
