import { FakeClock } from "@kubewright/core/clock";
import { isNotFound, isOperatorError } from "@kubewright/core/errors";
import fc from "fast-check";
import { afterEach, expect, test } from "vitest";
import { ConfigMap, Secret } from "../../test/kinds.js";
import { type ScriptedResponse, ScriptedTransport, turns } from "../../test/scripted-transport.js";
import { createClient, metadataOnly } from "../client/index.js";
import { CachedClient, type Change, InformerSet, ownerIndex, Selection, Store } from "./index.js";

const object = (
  name: string,
  resourceVersion: string,
  extra: {
    uid?: string;
    ownerReferences?: [];
    labels?: Record<string, string>;
    deletionTimestamp?: string;
    finalizers?: string[];
  } = {},
) => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name, namespace: "default", uid: `uid-${name}`, resourceVersion, creationTimestamp: "", ...extra },
  data: { version: resourceVersion },
});
const list = (resourceVersion: string, ...items: unknown[]): ScriptedResponse => ({
  body: { kind: "ConfigMapList", apiVersion: "v1", metadata: { resourceVersion }, items },
});
const text = (change: Change<typeof ConfigMap>): string => {
  const name = (change.new ?? change.old).metadata.name;
  if (change.kind === "added") return `added ${name}${change.initial ? " initial" : ""}`;
  if (change.kind === "deleted") return `deleted ${name}${change.tombstone ? " tombstone" : ""}`;
  return `updated ${name} ${change.old.metadata.resourceVersion}>${change.new.metadata.resourceVersion}`;
};

const stops: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

async function start(respond: (path: string, method: string) => ScriptedResponse | undefined) {
  const clock = new FakeClock();
  const transport = new ScriptedTransport(({ path, method }) => respond(path, method));
  const client = createClient(transport);
  const informers = new InformerSet({ client, clock, random: () => 0, streaming: false });
  const informer = informers.informer(ConfigMap);
  const changes: string[] = [];
  const registration = informer.addHandler((change) => changes.push(text(change)));
  const abort = new AbortController();
  const running = informers.run(abort.signal);
  stops.push(async () => {
    abort.abort();
    await running;
  });
  await turns();
  return {
    clock,
    transport,
    client,
    informers,
    informer,
    changes,
    registration,
    cached: new CachedClient(client, informers),
  };
}

test("handlers receive the initial list as initial additions, then each change with old and new", async () => {
  const { transport, informer, changes, registration } = await start(() =>
    list("10", object("a", "3"), object("b", "4")),
  );
  expect(registration.synced).toBe(true);
  transport.lastWatch.send("MODIFIED", object("a", "11"));
  transport.lastWatch.send("ADDED", object("c", "12"));
  transport.lastWatch.send("DELETED", object("b", "13"));
  await turns();
  expect(changes).toEqual(["added a initial", "added b initial", "updated a 3>11", "added c", "deleted b"]);
  expect(informer.list().map((item) => item.metadata.name)).toEqual(["a", "c"]);
});

test("a relist delivers missed updates, additions and tombstones, and nothing for unchanged objects", async () => {
  let lists = 0;
  const { transport, changes } = await start(() =>
    lists++ === 0
      ? list("10", object("same", "1"), object("changed", "2"), object("gone", "3"), object("reborn", "4"))
      : list(
          "50",
          object("same", "1"),
          object("changed", "22"),
          object("reborn", "33", { uid: "other" }),
          object("new", "40"),
        ),
  );
  changes.length = 0;
  transport.lastWatch.send("ERROR", {
    kind: "Status",
    apiVersion: "v1",
    metadata: {},
    status: "Failure",
    code: 410,
    reason: "Expired",
  });
  await turns();
  expect(changes).toEqual([
    "deleted gone tombstone",
    "updated changed 2>22",
    "deleted reborn tombstone",
    "added reborn",
    "added new",
  ]);
});

test("an object deleted before the response to its last write arrived is not shown, one that the watch has not reached is", async () => {
  const { transport, informer } = await start(() => list("10"));
  transport.lastWatch.send("ADDED", object("a", "11"));
  transport.lastWatch.send("DELETED", object("a", "13"));
  await turns();
  informer.noteWrite(object("a", "12") as never);
  expect(informer.find({ namespace: "default", name: "a" })).toBeUndefined();
  informer.noteWrite(object("b", "14") as never);
  expect(informer.list().map(({ metadata }) => metadata.name)).toEqual(["b"]);
});

test("a handler that is added late receives all cached objects and is synced", async () => {
  const { informer } = await start(() => list("10", object("a", "3")));
  const late: string[] = [];
  const registration = informer.addHandler((change) => late.push(text(change)));
  expect(late).toEqual(["added a initial"]);
  expect(registration.synced).toBe(true);
});

test("a handler that throws does not affect others, and a removed handler receives nothing", async () => {
  const { transport, informer, changes } = await start(() => list("10"));
  informer.addHandler(() => {
    throw new Error("broken handler");
  });
  const after: string[] = [];
  const registration = informer.addHandler((change) => after.push(text(change)));
  transport.lastWatch.send("ADDED", object("a", "11"));
  await turns();
  registration.remove();
  transport.lastWatch.send("ADDED", object("b", "12"));
  await turns();
  expect(changes).toEqual(["added a", "added b"]);
  expect(after).toEqual(["added a"]);
});

test("cached objects are deeply frozen, and each read returns the same reference", async () => {
  const { informer } = await start(() => list("10", object("a", "3")));
  const first = informer.find({ namespace: "default", name: "a" });
  expect(Object.isFrozen(first?.data)).toBe(true);
  expect(informer.find({ namespace: "default", name: "a" })).toBe(first);
});

test("all users of a kind share one informer; one requested after the start starts at once", async () => {
  const { informers, informer, transport } = await start((path) =>
    path.endsWith("secrets")
      ? { body: { kind: "SecretList", metadata: { resourceVersion: "5" }, items: [] } }
      : list("10"),
  );
  expect(informers.informer(ConfigMap)).toBe(informer);
  const secrets = informers.informer(Secret);
  expect(informers.synced).toBe(false);
  await secrets.whenSynced();
  await turns();
  expect(transport.watches).toHaveLength(2);
  expect([informers.synced, informers.idle]).toEqual([true, true]);
});

test("a read shows a write before its watch event, and an older event does not revert it", async () => {
  const { transport, cached } = await start((_, method) =>
    method === "GET" ? list("10", object("a", "3")) : { body: object("a", "15") },
  );
  const version = async () => (await cached.get(ConfigMap, "a")).metadata.resourceVersion;
  await cached.patch(ConfigMap, "a", { merge: {} });
  expect(await version()).toBe("15");
  expect((await cached.list(ConfigMap)).map((item) => item.metadata.resourceVersion)).toEqual(["15"]);
  transport.lastWatch.send("MODIFIED", object("a", "12"));
  await turns();
  expect(await version()).toBe("15");
  transport.lastWatch.send("MODIFIED", object("a", "16"));
  await turns();
  expect(await version()).toBe("16");
});

test("reads and lists show a created object before its watch event, until it is deleted", async () => {
  const { transport, cached } = await start((_, method) =>
    method === "GET" ? list("10") : { status: 201, body: object("new", "11") },
  );
  await cached.create(ConfigMap, { metadata: { name: "new" } });
  expect((await cached.list(ConfigMap)).map((item) => item.metadata.name)).toEqual(["new"]);
  transport.lastWatch.send("ADDED", object("new", "11"));
  transport.lastWatch.send("DELETED", object("new", "12"));
  await turns();
  expect(await cached.find(ConfigMap, "new")).toBeUndefined();
});

test("after a delete, reads do not show the object, but show a new one of the same name", async () => {
  const gone = { kind: "Status", apiVersion: "v1", metadata: {}, status: "Success" };
  const { transport, cached } = await start((_, method) =>
    method === "GET" ? list("10", object("a", "3")) : { body: gone },
  );
  await cached.delete(ConfigMap, "a");
  expect(await cached.find(ConfigMap, "a")).toBeUndefined();
  expect(await cached.list(ConfigMap)).toEqual([]);
  transport.lastWatch.send("MODIFIED", object("a", "11"));
  await turns();
  expect(await cached.find(ConfigMap, "a")).toBeUndefined();
  transport.lastWatch.send("DELETED", object("a", "12"));
  transport.lastWatch.send("ADDED", object("a", "13", { uid: "another" }));
  await turns();
  expect((await cached.find(ConfigMap, "a"))?.metadata.uid).toBe("another");
});

test("removing the last finalizer removes the object from reads, although the response has an older state", async () => {
  const dying = object("a", "3", { deletionTimestamp: "2030-01-01T00:00:00Z", finalizers: ["x/y"] });
  const end = object("a", "3", { deletionTimestamp: "2030-01-01T00:00:00Z" });
  const { cached } = await start((_, method) => (method === "GET" ? list("10", dying) : { body: end }));
  await cached.patch(ConfigMap, "a", { merge: { metadata: { finalizers: [] } } });
  expect(await cached.find(ConfigMap, "a")).toBeUndefined();
});

test("a missing object fails with the server's NotFound error, and a kind without an informer is rejected", async () => {
  const { cached } = await start(() => list("10"));
  const missing = await cached.get(ConfigMap, "a").catch((error: unknown) => error);
  expect(isNotFound(missing) && missing.message).toBe('Cannot get ConfigMap "default/a": configmaps "a" not found');
  const unwatched = await cached.get(Secret, "a").catch((error: unknown) => error);
  expect(isOperatorError(unwatched) && unwatched.code).toBe("NOT_SUPPORTED");
});

test("a cached list can be filtered by labels", async () => {
  const { cached } = await start(() =>
    list("10", object("a", "1", { labels: { app: "x" } }), object("b", "2", { labels: { app: "y" } })),
  );
  expect((await cached.list(ConfigMap, { labels: { app: "x" } })).map((item) => item.metadata.name)).toEqual(["a"]);
  expect(await cached.list(ConfigMap, { labels: { constructor: "x" } })).toEqual([]);
});

test("waiting for the initial list rejects if the informer stops before", async () => {
  const clock = new FakeClock();
  const client = createClient(new ScriptedTransport(() => undefined));
  const informers = new InformerSet({ client, clock, random: () => 0, streaming: false });
  const informer = informers.informer(ConfigMap);
  const abort = new AbortController();
  const running = informers.run(abort.signal);
  const waiting = informer.whenSynced().catch((error: unknown) => error);
  abort.abort();
  await running;
  const error = await waiting;
  expect(isOperatorError(error) && error.code).toBe("STOPPED");
});

test("a Store index returns the same objects as a full scan after any sets and deletes", () => {
  const name = fc.constantFrom("a", "b", "c", "__proto__");
  const owner = fc.constantFrom("u1", "u2", "constructor");
  const step = fc.record({ name, owners: fc.uniqueArray(owner), remove: fc.boolean() });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      const store = new Store<typeof ConfigMap>();
      const plain = new Map<string, readonly string[]>();
      for (const { name, owners, remove } of steps) {
        if (remove) {
          store.delete(`default/${name}`);
          plain.delete(name);
        } else {
          const ownerReferences = owners.map((uid) => ({ apiVersion: "v1", kind: "X", name: "x", uid }));
          store.set(`default/${name}`, {
            ...object(name, "1"),
            apiVersion: "v1",
            kind: "ConfigMap",
            metadata: { ...object(name, "1").metadata, ownerReferences },
          });
          plain.set(name, owners);
        }
        for (const uid of ["u1", "u2", "constructor"]) {
          const found = [...store.keysUnder(ownerIndex, uid).keys()].map((key) => store.get(key)?.metadata.name);
          const expected = [...plain].filter(([, owners]) => owners.includes(uid)).map(([key]) => key);
          expect(found.sort()).toEqual(expected.sort());
        }
      }
    }),
  );
});

test("a handler with resyncMs receives all objects each period, others do not, and removing it leaves no timer", async () => {
  const { clock, informer, changes, transport } = await start(() => list("10", object("a", "3")));
  const replayed: string[] = [];
  const resynced = informer.addHandler((change) => replayed.push(text(change)), { resyncMs: 10_000 });
  const timers = clock.pendingTimers;
  // The period is 10 % shorter with this random number.
  clock.advance(8_999);
  expect(replayed).toEqual(["added a initial"]);
  clock.advance(1);
  expect(replayed).toEqual(["added a initial", "updated a 3>3"]);
  clock.advance(9_000);
  expect(replayed).toHaveLength(3);
  expect(changes).toEqual(["added a initial"]);
  expect(transport.requests).toHaveLength(1);
  resynced.remove();
  expect(clock.pendingTimers).toBe(timers - 1);
  expect(() => informer.addHandler(() => {}, { resyncMs: 999 })).toThrow("the period must be at least 1s");
});

test("objects of a kind that is no longer served become tombstones, and retryNow ends the backoff", async () => {
  let served = true;
  const { transport, informer, informers, changes, cached } = await start((_, method) => {
    if (method === "POST") return { body: object("written", "11") };
    return served ? list("10", object("a", "3")) : undefined;
  });
  await cached.create(ConfigMap, { metadata: { name: "written" } });
  served = false;
  transport.lastWatch.end(new Error("lost"));
  await turns();
  transport.respondToWatch = () => ({ status: 404, body: {} });
  expect(informer.state.kind).toBe("backoff");
  informer.vanished();
  expect(changes).toEqual(["added a initial", "deleted a tombstone"]);
  expect(await cached.list(ConfigMap)).toEqual([]);
  served = true;
  transport.respondToWatch = () => undefined;
  informer.retryNow();
  await turns();
  expect(informer.state.kind).toBe("watch");
  expect(informers.idle).toBe(true);
});

const deepText = `${'{"a":'.repeat(100_000)}1${"}".repeat(100_000)}`;

test("an object of 100,000 levels, a logger that throws and an index function that returns a number stop nothing", async () => {
  const clock = new FakeClock();
  const transport = new ScriptedTransport(() => list("10", object("first", "3")));
  const fail = (): never => {
    throw new Error("broken logger");
  };
  const logger = { debug: fail, info: fail, warn: fail, error: fail, child: () => logger };
  const informers = new InformerSet({
    client: createClient(transport),
    clock,
    random: () => 0,
    streaming: false,
    logger,
  });
  const selection = new Selection({}, { number: (() => 5) as never, throws: fail });
  const informer = informers.informer(ConfigMap, selection);
  const seen: string[] = [];
  informer.addHandler((change) => {
    const { new: next } = change;
    if (next !== undefined) seen.push(next.metadata.name);
    throw new Error("broken handler");
  });
  const abort = new AbortController();
  const running = informers.run(abort.signal);
  stops.push(async () => {
    abort.abort();
    await running;
  });
  await turns();
  transport.lastWatch.send("ADDED", { ...object("deep", "11"), data: JSON.parse(deepText) });
  transport.lastWatch.end(new Error("connection lost"));
  await turns();
  clock.advance(1_000);
  await turns();
  transport.lastWatch.send("ADDED", object("last", "12"));
  await turns();
  expect(seen).toEqual(["first", "deep", "last"]);
  expect(informer.list()).toHaveLength(3);
  expect(informer.keys()).toEqual(["default/first", "default/deep", "default/last"]);
  expect(informer.approximateBytes).toBeGreaterThan(0);
  expect(informer.idle).toBe(true);
});

test("a listed object of another kind and 100,000 levels is skipped", async () => {
  const other = { ...object("deep", "3"), kind: "Other", data: JSON.parse(deepText) as unknown };
  const { changes } = await start(() => list("10", other, object("a", "4")));
  expect(changes).toEqual(["added a initial"]);
});

test("keys include written objects and exclude deleted ones that the watch has not reached", async () => {
  const { informer } = await start(() => list("10", object("a", "3"), object("b", "4")));
  informer.noteWrite(object("c", "12") as never);
  informer.noteDelete({ namespace: "default", name: "b" }, "uid-b");
  expect(informer.keys()).toEqual(["default/a", "default/c"]);
});

test("a relist at lower resourceVersions, from a restored etcd, clears own writes and delivers states of equal versions", async () => {
  let restored = false;
  const expired = { kind: "Status", apiVersion: "v1", metadata: {}, status: "Failure", code: 410, reason: "Expired" };
  const { transport, informer, changes } = await start(() =>
    restored ? list("90", object("a", "80"), object("b", "20")) : list("100", object("a", "99"), object("b", "20")),
  );
  informer.noteWrite(object("a", "120") as never);
  informer.noteWrite(object("new", "121") as never);
  informer.noteDelete({ namespace: "default", name: "b" }, "uid-b");
  restored = true;
  changes.length = 0;
  transport.lastWatch.send("ERROR", expired);
  await turns();
  expect(informer.list().map(({ metadata }) => `${metadata.name} ${metadata.resourceVersion}`)).toEqual([
    "a 80",
    "b 20",
  ]);
  // "b" may have had another state at version 20. Reads have shown "new".
  expect(changes).toEqual(["updated a 99>80", "updated b 20>20", "added new", "deleted new tombstone"]);
  informer.noteWrite(object("a", "91") as never);
  expect(informer.find({ namespace: "default", name: "a" })?.metadata.resourceVersion).toBe("91");
});

test("a consistent relist clears own writes and deletes that it does not show, also at a newer resourceVersion", async () => {
  let restored = false;
  const expired = { kind: "Status", apiVersion: "v1", metadata: {}, status: "Failure", code: 410, reason: "Expired" };
  const { transport, informer, changes } = await start(() =>
    restored ? list("130", object("a", "80"), object("b", "20")) : list("100", object("a", "80"), object("b", "20")),
  );
  const shown = () => informer.list().map(({ metadata }) => `${metadata.name} ${metadata.resourceVersion}`);
  informer.noteWrite(object("a", "120") as never);
  informer.noteWrite(object("c", "121") as never);
  informer.noteDelete({ namespace: "default", name: "b" }, "uid-b");
  expect(shown()).toEqual(["a 120", "c 121"]);
  changes.length = 0;
  // The backup was made before both writes, and other clients have written since.
  restored = true;
  transport.lastWatch.send("ERROR", expired);
  await turns();
  expect(shown()).toEqual(["a 80", "b 20"]);
  // Nothing else would reconcile what relies on the lost writes.
  expect(changes).toEqual([
    "updated a 80>120",
    "updated a 120>80",
    "added c",
    "deleted c tombstone",
    "deleted b tombstone",
    "added b",
  ]);
});

test("an object at an older resourceVersion than before shows a restored etcd, although the list is newer", async () => {
  let restored = false;
  const expired = { kind: "Status", apiVersion: "v1", metadata: {}, status: "Failure", code: 410, reason: "Expired" };
  const { transport, changes } = await start(() =>
    restored ? list("130", object("a", "80"), object("b", "20")) : list("100", object("a", "99"), object("b", "20")),
  );
  restored = true;
  changes.length = 0;
  transport.lastWatch.send("ERROR", expired);
  await turns();
  expect(changes).toEqual(["updated a 99>80", "updated b 20>20"]);
});

test("a consistent relist that shows own writes, or newer states, delivers each of them once", async () => {
  let lists = 0;
  const expired = { kind: "Status", apiVersion: "v1", metadata: {}, status: "Failure", code: 410, reason: "Expired" };
  const { transport, informer, changes } = await start(() =>
    lists++ === 0
      ? list("100", object("a", "80"), object("b", "20"), object("gone", "30"))
      : list("130", object("a", "120"), object("b", "125"), object("c", "126")),
  );
  informer.noteWrite(object("a", "120") as never);
  informer.noteWrite(object("b", "121") as never);
  informer.noteWrite(object("c", "122") as never);
  informer.noteDelete({ namespace: "default", name: "gone" }, "uid-gone");
  changes.length = 0;
  transport.lastWatch.send("ERROR", expired);
  await turns();
  expect(changes).toEqual(["deleted gone tombstone", "updated a 80>120", "updated b 20>125", "added c"]);
});

test("manage makes a running informer relist, so that cached objects have their managedFields; handlers receive nothing", async () => {
  const managed = object("a", "3");
  const { informers, informer, changes, transport } = await start(() =>
    list("10", { ...managed, metadata: { ...managed.metadata, managedFields: [{ manager: "me" }] } }),
  );
  const managers = () => informer.list().map(({ metadata }) => metadata.managedFields?.map(({ manager }) => manager));
  expect(managers()).toEqual([undefined]);
  await informers.manage([ConfigMap]);
  expect(managers()).toEqual([["me"]]);
  expect(changes).toEqual(["added a initial"]);
  const requests = transport.requests.length;
  await informers.manage([ConfigMap]);
  expect(transport.requests).toHaveLength(requests);
});

test("a write and a delete of an object are noted in a cache of its metadata, and a delete by its metadata in one of objects", async () => {
  const { informers, cached } = await start((_, method) =>
    method === "GET"
      ? list("10", object("a", "3"), object("b", "4"))
      : method === "PATCH"
        ? { body: object("a", "12", { labels: { new: "yes" } }) }
        : { body: { kind: "Status", apiVersion: "v1", metadata: {}, status: "Success" } },
  );
  const Partial = metadataOnly(ConfigMap);
  informers.informer(Partial);
  expect(await cached.get(Partial, "a")).not.toHaveProperty("data");
  await cached.patch(ConfigMap, "a", { merge: { metadata: { labels: { new: "yes" } } } });
  const { metadata, ...rest } = await cached.get(Partial, "a");
  expect([metadata.resourceVersion, metadata.labels]).toEqual(["12", { new: "yes" }]);
  expect(rest).toEqual({ apiVersion: "v1", kind: "ConfigMap" });
  await cached.delete(ConfigMap, "a");
  expect(await cached.find(Partial, "a")).toBeUndefined();
  await cached.delete(Partial, "b");
  expect(await cached.find(ConfigMap, "b")).toBeUndefined();
});
