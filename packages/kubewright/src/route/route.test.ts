import { getEventListeners } from "node:events";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { FakeClock } from "@kubewright/core/clock";
import { type Logger, silentLogger } from "@kubewright/core/log";
import { afterEach, expect, test } from "vitest";
import { ConfigMap, Deployment, Namespace, Tenant, Website } from "../../test/kinds.js";
import { ScriptedTransport, type ScriptedWatch, turns } from "../../test/scripted-transport.js";
import { cacheLookup, everything, InformerSet } from "../cache/index.js";
import { createClient } from "../client/index.js";
import type { AnyKind } from "../definition/index.js";
import {
  type AnyWatch,
  type Cause,
  changedPaths,
  events,
  every,
  ownersOf,
  Router,
  runSource,
  type Target,
  watch,
} from "./index.js";

const stops: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

const object = (kind: AnyKind, metadata: { name: string; namespace?: string; resourceVersion: string }, rest = {}) => ({
  apiVersion: kind.group === "" ? kind.version : `${kind.group}/${kind.version}`,
  kind: kind.kind,
  metadata: { uid: metadata.name, ...metadata },
  ...rest,
});
const inProd = (name: string, version: number, more: object = {}) => ({
  name,
  namespace: "prod",
  resourceVersion: `${version}`,
  ...more,
});
const ownedBy = (apiVersion: string, kind: string, name: string, controller = true) => ({
  ownerReferences: [{ apiVersion, kind, name, uid: "u", controller }],
});

async function start(kind: AnyKind, owns: readonly AnyKind[], watches: readonly AnyWatch[]) {
  const transport = new ScriptedTransport(() => ({
    body: { kind: "List", metadata: { resourceVersion: "1" }, items: [] },
  }));
  const errors: object[] = [];
  const logger: Logger = { ...silentLogger, error: (fields) => errors.push(fields), child: () => logger };
  const informers = new InformerSet({
    client: createClient(transport),
    clock: new FakeClock(),
    random: () => 0,
    streaming: false,
    logger,
  });
  const requests: string[] = [];
  const causes: Cause[] = [];
  const router = new Router({
    kind,
    owns: owns.map((child) => ({ kind: child, selection: everything })),
    watches,
    informers,
    lookup: cacheLookup(informers, () => everything),
    namespace: "default",
    emit: (request, cause) => {
      requests.push(`${cause.source} ${request}`);
      causes.push(cause);
    },
  });
  router.attach();
  const abort = new AbortController();
  const running = informers.run(abort.signal);
  stops.push(async () => {
    abort.abort();
    await running;
  });
  await turns();
  const watchOf = (plural: string): ScriptedWatch => {
    const found = transport.watches.find(({ request }) => request.path.endsWith(`/${plural}`));
    if (found === undefined) throw new Error(`${plural} are not watched`);
    return found;
  };
  return { router, requests, causes, errors, watchOf };
}

test("a change of the object itself requests it, with the changed fields in the cause", async () => {
  const { requests, causes, watchOf, router } = await start(Website, [], []);
  expect(router.synced).toBe(true);
  watchOf("websites").send("ADDED", object(Website, inProd("shop", 2), { spec: { image: "a", replicas: 1 } }));
  watchOf("websites").send("MODIFIED", object(Website, inProd("shop", 3), { spec: { image: "b", replicas: 1 } }));
  await turns();
  expect(requests).toEqual(["for prod/shop", "for prod/shop"]);
  expect(causes[1]).toMatchObject({
    change: "updated",
    kind: "web.example.com/v1/Website",
    changedPaths: [".spec.image"],
  });
});

test("a child requests its controller owner by group and kind, in any version, and no other owner", async () => {
  const { requests, watchOf } = await start(Website, [Deployment], []);
  const send = (name: string, meta: object) =>
    watchOf("deployments").send("ADDED", object(Deployment, inProd(name, 5, meta)));
  send("mine", ownedBy("web.example.com/v1alpha1", "Website", "shop"));
  send("plain-owner", ownedBy("web.example.com/v1", "Website", "shop2", false));
  send("other-group", ownedBy("other.example.com/v1", "Website", "shop3"));
  send("orphan", {});
  await turns();
  expect(requests).toEqual(["owns prod/shop"]);
});

test("an object without an owner is deleted: no owner is requested, and no handler fails", async () => {
  const { requests, errors, watchOf } = await start(Website, [Deployment], []);
  watchOf("deployments").send("ADDED", object(Deployment, inProd("orphan", 5)));
  watchOf("deployments").send("DELETED", object(Deployment, inProd("orphan", 6)));
  await turns();
  expect({ requests, errors }).toEqual({ requests: [], errors: [] });
});

test("a child that moves to another owner requests both the old and the new one", async () => {
  const { requests, watchOf } = await start(Website, [Deployment], []);
  const of = (owner: string, version: number) =>
    object(Deployment, inProd("d", version, ownedBy("web.example.com/v1", "Website", owner)));
  watchOf("deployments").send("ADDED", of("a", 2));
  watchOf("deployments").send("MODIFIED", of("b", 3));
  await turns();
  expect(requests).toEqual(["owns prod/a", "owns prod/a", "owns prod/b"]);
});

test("a child of a cluster-scoped owner requests it without a namespace", async () => {
  const { requests, watchOf } = await start(Tenant, [ConfigMap], []);
  watchOf("configmaps").send(
    "ADDED",
    object(ConfigMap, inProd("c", 2, ownedBy("web.example.com/v1", "Tenant", "acme"))),
  );
  await turns();
  expect(requests).toEqual(["owns acme"]);
});

test("a mapping requests the names it returns, in the namespace of the changed object by default", async () => {
  const { requests, watchOf } = await start(
    Website,
    [],
    [
      watch(ConfigMap, {
        to: (map) => [map.metadata.labels?.["website"] ?? "none", { namespace: "other", name: "x" }],
      }),
    ],
  );
  watchOf("configmaps").send("ADDED", object(ConfigMap, inProd("c", 2, { labels: { website: "shop" } })));
  await turns();
  expect(requests).toEqual(["watches prod/shop", "watches other/x"]);
});

test("a mapping that returns nothing, throws or lacks a namespace requests nothing, and the next change is handled", async () => {
  const { requests, watchOf } = await start(
    Website,
    [],
    [
      watch(Namespace, {
        to: ({ metadata }) => {
          if (metadata.name === "throws") throw new Error("broken mapping");
          if (metadata.name === "nothing") return undefined;
          return metadata.name === "bare" ? "shop" : { namespace: metadata.name, name: "shop" };
        },
      }),
    ],
  );
  for (const [index, name] of ["throws", "nothing", "bare", "prod"].entries())
    watchOf("namespaces").send("ADDED", object(Namespace, { name, resourceVersion: `${index + 2}` }));
  await turns();
  expect(requests).toEqual(["watches prod/shop"]);
});

test("every requests at the end of each period until it stops; a period below 1 s is rejected", async () => {
  const clock = new FakeClock();
  const abort = new AbortController();
  let rounds = 0;
  const options = { clock, random: () => 0, logger: silentLogger, all: () => rounds++, one: () => undefined };
  const running = runSource(every("1m"), options, abort.signal);
  clock.advance(180_000);
  abort.abort();
  await running;
  expect(rounds).toBe(3);
  expect(clock.pendingTimers).toBe(0);
  expect(() => every("10ms")).toThrow('Cannot reconcile every "10ms"');
});

test("an event source that fails is reopened after a backoff, and is finished when it returns", async () => {
  const clock = new FakeClock();
  const names: unknown[] = [];
  let opened = 0;
  const source = events(async function* () {
    opened += 1;
    yield { name: `bucket-${opened}` };
    if (opened === 1) throw new Error("provider went away");
  });
  const options = {
    clock,
    random: () => 0,
    logger: silentLogger,
    all: () => undefined,
    one: (target: unknown) => names.push(target),
  };
  const running = runSource(source, options, new AbortController().signal);
  await turns();
  expect(opened).toBe(1);
  clock.advance(800);
  await running;
  expect(names).toEqual([{ name: "bucket-1" }, { name: "bucket-2" }]);
});

test("an event source that ignores the signal does not block the stop", async () => {
  const abort = new AbortController();
  const source = events(async function* () {
    await new Promise(() => {});
    yield "never";
  });
  const options = {
    clock: new FakeClock(),
    random: () => 0,
    logger: silentLogger,
    all: () => undefined,
    one: () => undefined,
  };
  const running = runSource(source, options, abort.signal);
  await turns();
  abort.abort();
  await expect(running).resolves.toBeUndefined();
});

test("an event source keeps nothing of a message that was handled", async () => {
  setFlagsFromString("--expose-gc");
  const gc = runInNewContext("gc") as () => void;
  const abort = new AbortController();
  const results: WeakRef<object>[] = [];
  let handled = 0;
  let allRead = (): void => {};
  const read = new Promise<void>((resolve) => {
    allRead = resolve;
  });
  // By hand: the results of a generator cannot be observed.
  const next = (): Promise<IteratorResult<Target>> => {
    if (results.length === 1_000) {
      allRead();
      return new Promise(() => {});
    }
    const result = { done: false, value: { namespace: "shop", name: `bucket-${results.length}` } } as const;
    results.push(new WeakRef(result));
    return Promise.resolve(result);
  };
  const source = events(() => ({ [Symbol.asyncIterator]: () => ({ next }) }));
  const options = {
    clock: new FakeClock(),
    random: () => 0,
    logger: silentLogger,
    all: () => undefined,
    one: () => handled++,
  };
  const running = runSource(source, options, abort.signal);
  await read;
  // A WeakRef keeps its target until the end of the turn in which it was made or read.
  await new Promise((resolve) => setImmediate(resolve));
  gc();
  expect(handled).toBe(1_000);
  expect(results.filter((result) => result.deref() !== undefined).length).toBeLessThan(10);
  abort.abort();
  await running;
  expect(getEventListeners(abort.signal, "abort")).toEqual([]);
});

test("a periodic source that fails once is called again after its period", async () => {
  const clock = new FakeClock();
  const abort = new AbortController();
  const lines: string[] = [];
  let rounds = 0;
  const all = (): void => {
    rounds += 1;
    if (rounds === 1) throw new Error("broken");
  };
  const logger = { ...silentLogger, error: (_: unknown, message: string) => lines.push(message) };
  const running = runSource(every("1m"), { clock, random: () => 0, logger, all, one: () => undefined }, abort.signal);
  clock.advance(120_000);
  abort.abort();
  await running;
  expect(rounds).toBe(2);
  expect(lines).toEqual(["Periodic source failed, will try again after its period"]);
});

test("changedPaths compares values of 100,000 levels", () => {
  const deep = (leaf: number): unknown => JSON.parse(`${'{"a":'.repeat(100_000)}${leaf}${"}".repeat(100_000)}`);
  expect(changedPaths(deep(1), deep(1))).toEqual([]);
  expect(changedPaths(deep(1), deep(2))).toEqual([".a".repeat(12)]);
});

test("changedPaths names leaves, array items and quoted keys, skips resourceVersion, generation and managedFields, and is bounded", () => {
  const before = {
    metadata: { resourceVersion: "1", labels: { "a/b": "x" } },
    spec: { list: [1, 2], deep: { same: 1 } },
  };
  const after = {
    metadata: { resourceVersion: "2", labels: { "a/b": "y" } },
    spec: { list: [1, 3], deep: { same: 1 }, added: true },
  };
  expect(changedPaths(before, after)).toEqual(['.metadata.labels["a/b"]', ".spec.list[1]", ".spec.added"]);
  const many = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`k${index}`, index]));
  expect(changedPaths({}, many)).toHaveLength(20);
});

test("ownersOf maps to every owner of the kind, controller or not, in any version", async () => {
  const { requests, watchOf } = await start(Website, [], [watch(ConfigMap, { to: ownersOf(Website) })]);
  const owner = (kind: string, name: string, apiVersion = "web.example.com/v1") => ({
    apiVersion,
    kind,
    name,
    uid: name,
  });
  const child = object(ConfigMap, inProd("child", 2));
  const ownerReferences = [
    { ...owner("Website", "first"), controller: true },
    owner("Website", "second", "web.example.com/v1alpha1"),
    owner("Website", "stranger", "other.example.com/v1"),
    owner("Tenant", "tenant"),
  ];
  watchOf("configmaps").send("ADDED", { ...child, metadata: { ...child.metadata, ownerReferences } });
  await turns();
  expect(requests).toEqual(["watches prod/first", "watches prod/second"]);
  expect(ownersOf(Tenant)({ metadata: { name: "x", namespace: "prod", ownerReferences } })).toEqual([
    { name: "tenant", namespace: "" },
  ]);
});
