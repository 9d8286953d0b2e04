import fc from "fast-check";
import { expect, test } from "vitest";
import { ExpiredError, isLost, type Journal, Store } from "./index.js";

const object = (name: string, revision: number, value = 0) => ({
  metadata: { name, resourceVersion: String(revision) },
  value,
});

function put(store: Store, key: string, value = 0): number {
  const expected = store.bucket("things").get(key)?.revision ?? 0;
  const stored = store.put("things", key, expected, (revision) => object(key, revision, value));
  if (isLost(stored)) throw new Error(`lost "${key}"`);
  return stored.revision;
}

function remove(store: Store, key: string): void {
  const record = store.bucket("things").get(key);
  if (record) store.delete("things", key, record.revision, (revision) => object(key, revision));
}

test("Store assigns a unique revision to every write, across buckets", () => {
  const store = new Store();
  const first = put(store, "a");
  const other = store.put("others", "a", 0, (revision) => object("a", revision));
  expect(isLost(other) ? 0 : other.revision).toBe(first + 1);
  expect(store.revision).toBe(first + 1);
});

test("Store rejects a write based on an old revision and returns the current record", () => {
  const store = new Store();
  const first = put(store, "a");
  put(store, "a", 1);
  const lost = store.put("things", "a", first, (revision) => object("a", revision, 2));
  expect(isLost(lost) && lost.current?.object["value"]).toBe(1);
  expect(isLost(store.put("things", "a", 0, (revision) => object("a", revision)))).toBe(true);
  expect(isLost(store.delete("things", "b", 1, (revision) => object("b", revision)))).toBe(true);
});

test("Store returns the written value itself, deeply frozen", () => {
  const store = new Store();
  const inner = { deep: ["x"] };
  store.put("things", "a", 0, () => ({ inner }));
  const stored = store.bucket("things").get("a")?.object;
  expect(stored?.["inner"]).toBe(inner);
  expect(Object.isFrozen(inner.deep)).toBe(true);
});

test("Bucket lists in key order, and by prefix", () => {
  const store = new Store();
  for (const key of ["b/x", "a/y", "a/x", "ab/x"]) put(store, key);
  expect(
    store
      .bucket("things")
      .list()
      .map((record) => record.key),
  ).toEqual(["a/x", "a/y", "ab/x", "b/x"]);
  expect(
    store
      .bucket("things")
      .list("a/")
      .map((record) => record.key),
  ).toEqual(["a/x", "a/y"]);
});

test("Bucket returns any past state within its history", () => {
  const operation = fc.record({ key: fc.constantFrom("a", "b", "c", "d"), kind: fc.constantFrom("put", "delete") });
  fc.assert(
    fc.property(fc.array(operation, { maxLength: 40 }), (operations) => {
      const store = new Store();
      const states: [number, string[]][] = [];
      for (const [index, { key, kind }] of operations.entries()) {
        if (kind === "put") put(store, key, index);
        else remove(store, key);
        const seen = store
          .bucket("things")
          .list()
          .map((record) => `${record.key}=${record.object["value"]}`);
        states.push([store.revision, seen]);
      }
      for (const [revision, seen] of states) {
        const { count, records } = store.bucket("things").scan({ revision });
        const past = [...records];
        expect(count).toBe(past.length);
        expect(past.map((record) => `${record.key}=${record.object["value"]}`)).toEqual(seen);
      }
    }),
  );
});

test("Watcher resumes after a revision and sees every later change once, in order", async () => {
  const store = new Store();
  put(store, "a");
  const after = put(store, "b");
  put(store, "a", 1);
  const watcher = store.bucket("things").watch({ after });
  remove(store, "b");
  const seen: string[] = [];
  for (let count = 0; count < 2; count++) {
    const step = await watcher.next();
    if (step.kind === "change") seen.push(`${step.change.kind} ${step.change.key}`);
  }
  expect(seen).toEqual(["put a", "delete b"]);
  expect(watcher.poll()).toBeUndefined();
});

test("Watcher is idle only while it waits with no change left to return", async () => {
  const store = new Store();
  put(store, "a");
  const watcher = store.bucket("things").watch({ after: 0 });
  expect(store.idle).toBe(false);
  await watcher.next();
  expect(store.idle).toBe(false);
  const waiting = watcher.next();
  expect(store.idle).toBe(true);
  put(store, "b");
  expect(store.idle).toBe(false);
  expect((await waiting).kind).toBe("change");
  watcher.close();
  expect(store.idle).toBe(true);
});

test("Watcher of a prefix is not woken by other keys", async () => {
  const store = new Store();
  const watcher = store.bucket("things").watch({ after: store.revision, prefix: "a/" });
  const waiting = watcher.next();
  put(store, "b/x");
  expect(watcher.idle).toBe(true);
  put(store, "a/x");
  const step = await waiting;
  expect(step.kind === "change" && step.change.key).toBe("a/x");
});

test("Bucket expires old watches, old lists and slow watchers beyond its history", async () => {
  const store = new Store({ historyLimit: 10 });
  const slow = store.bucket("things").watch({ after: 0 });
  const early = put(store, "a");
  for (let count = 0; count < 100; count++) put(store, "a", count);
  expect(() => store.bucket("things").watch({ after: early })).toThrow(ExpiredError);
  expect(() => store.bucket("things").scan({ revision: early })).toThrow(ExpiredError);
  expect((await slow.next()).kind).toBe("expired");
  expect(
    store
      .bucket("things")
      .watch({ after: store.revision - 5 })
      .poll()?.kind,
  ).toBe("change");
});

test("compact drops the history of every bucket, but no current state", () => {
  const store = new Store();
  const first = put(store, "a");
  const last = put(store, "b");
  store.compact(last);
  expect(() => store.bucket("things").scan({ revision: first })).toThrow(ExpiredError);
  expect(store.bucket("things").scan({ revision: last }).count).toBe(2);
  expect(store.bucket("things").watch({ after: last }).poll()).toBeUndefined();
});

test("drop closes the watches of a bucket, and a new bucket of that name has no history", async () => {
  const store = new Store();
  const revision = put(store, "a");
  const waiting = store.bucket("things").watch({ after: revision }).next();
  store.drop("things");
  expect((await waiting).kind).toBe("closed");
  expect(store.bucket("things").size).toBe(0);
  expect(() => store.bucket("things").watch({ after: revision - 1 })).toThrow(ExpiredError);
});

test("Store calls its listeners for every write, in revision order", () => {
  const store = new Store();
  const seen: string[] = [];
  const stop = store.listen((bucket, change) => seen.push(`${bucket} ${change.kind} ${change.key}`));
  put(store, "a");
  remove(store, "a");
  stop();
  put(store, "b");
  expect(seen).toEqual(["things put a", "things delete a"]);
});

test("Bucket bounds its history in bytes, and the current state stays readable", () => {
  const store = new Store({ historyLimitBytes: 10_000 });
  const write = (value: string) => {
    const expected = store.bucket("things").get("a")?.revision ?? 0;
    store.put("things", "a", expected, () => ({ value }));
  };
  const early = store.revision;
  for (let count = 0; count < 50; count++) write("x".repeat(1_000));
  expect(() => store.bucket("things").watch({ after: early })).toThrow(ExpiredError);
  expect(store.revision - store.bucket("things").compactedRevision).toBeLessThan(12);
  write("y".repeat(100_000));
  expect(store.bucket("things").list()).toHaveLength(1);
});

test("scan starts at the given key, in the current and in a past state", () => {
  const store = new Store();
  for (const key of ["n/a", "n/b", "n/c", "o/a"]) put(store, key);
  const then = store.revision;
  remove(store, "n/b");
  put(store, "n/bb");
  const keys = (options: { prefix?: string; start?: string; revision?: number }) =>
    [...store.bucket("things").scan(options).records].map((record) => record.key);
  expect(keys({ prefix: "n/", start: "n/a\0" })).toEqual(["n/bb", "n/c"]);
  expect(keys({ prefix: "n/", start: "n/a\0", revision: then })).toEqual(["n/b", "n/c"]);
  expect(keys({ prefix: "n/", start: "zzz" })).toEqual([]);
  expect(store.bucket("things").scan({ prefix: "n/", start: "n/a\0", revision: then }).count).toBe(2);
});

test("Watcher from a future revision sees no earlier change", async () => {
  const store = new Store();
  const watcher = store.bucket("things").watch({ after: store.revision + 2 });
  const waiting = watcher.next();
  put(store, "a");
  put(store, "b");
  expect(watcher.idle).toBe(true);
  put(store, "c");
  const step = await waiting;
  expect(step.kind === "change" && step.change.key).toBe("c");
});

/** A journal whose writes complete when the test says so. */
function slowJournal() {
  let failure: Error | undefined;
  let durable = 0;
  let last = 0;
  const waiting: { revision: number; resolve(): void; reject(error: Error): void }[] = [];
  const journal: Journal = {
    load: () => ({ revision: 0, records: [] }),
    append: (_, change) => {
      last = change.revision;
    },
    get durable() {
      return durable;
    },
    whenDurable: (revision) =>
      failure
        ? Promise.reject(failure)
        : revision <= durable
          ? Promise.resolve()
          : new Promise((resolve, reject) => waiting.push({ revision, resolve, reject })),
    close: () => Promise.resolve(),
  };
  const settle = {
    resolve() {
      durable = last;
      for (const one of waiting.splice(0)) one.resolve();
    },
    reject(error: Error) {
      failure = error;
      for (const one of waiting.splice(0)) one.reject(error);
    },
  };
  return { journal, ...settle };
}

test("Store shows a write to watchers when it is on disk, and is not idle until then", async () => {
  const { journal, resolve } = slowJournal();
  const store = new Store({ journal });
  const watcher = store.bucket("things").watch({ after: 0 });
  const waiting = watcher.next();
  put(store, "a");
  await Promise.resolve();
  expect(store.bucket("things").get("a")).toBeDefined();
  expect(watcher.poll()).toBeUndefined();
  expect(store.idle).toBe(false);
  resolve();
  expect((await waiting).kind).toBe("change");
  await store.durable();
});

test("Store never reports a write as durable after a disk failure", async () => {
  const { journal, reject } = slowJournal();
  const store = new Store({ journal });
  put(store, "a");
  const asked = store.durable();
  reject(new Error("the disk is full"));
  await expect(asked).rejects.toThrow("the disk is full");
  await expect(store.durable()).rejects.toThrow("the disk is full");
});

test("seeded objects are made when one of their buckets is first used, with reserved revisions and without listeners", () => {
  const store = new Store({ historyLimit: 10 });
  const first = store.reserve(2);
  let made = 0;
  const heard: string[] = [];
  store.listen((bucket, { key }) => heard.push(`${bucket}/${key}`));
  store.seed(["a", "b"], () => {
    made++;
    return ["a", "b"].map((bucket, index) => ({
      bucket,
      record: { key: "seed", revision: first + index, object: {} },
    }));
  });
  store.put("other", "x", 0, () => ({}));
  expect([made, store.revision]).toEqual([0, first + 2]);
  expect(store.bucket("b").get("seed")?.revision).toBe(first + 1);
  expect(store.bucket("a").get("seed")?.revision).toBe(first);
  store.put("a", "y", 0, () => ({}));
  expect(made).toBe(1);
  expect(heard).toEqual(["other/x", "a/y"]);
  expect(() => store.bucket("a").watch({ after: 1 })).toThrow();
});

test("a replay includes seeded objects", () => {
  const store = new Store({ historyLimit: 10 });
  const first = store.reserve(1);
  store.seed(["a"], () => [{ bucket: "a", record: { key: "seed", revision: first, object: {} } }]);
  const keys: string[] = [];
  store.replay((_, { key }) => keys.push(key));
  expect(keys).toEqual(["seed"]);
});
