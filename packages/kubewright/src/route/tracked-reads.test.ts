import fc from "fast-check";
import { expect, test } from "vitest";
import { type Change, everything, ListQuery, select } from "../cache/index.js";
import type { AnyKind } from "../definition/index.js";
import { ConfigMap, Secret } from "../k8s/core/v1.gen.js";
import { TrackedReads } from "./index.js";

const { kind, selection } = select(ConfigMap, { indexes: { v: ({ data }) => data?.["v"] } });
const tracked = { kind: kind as AnyKind, selection };
const names = ["a", "b"];
const namespaces = ["one", "two"];
const requests = ["x", "y"];

const state = fc.record({
  labels: fc.dictionary(fc.constantFrom("app", "tier"), fc.constantFrom("1", "2"), { maxKeys: 2 }),
  v: fc.constantFrom("1", "2"),
});
const listing = fc.record({
  namespace: fc.constantFrom("one", "two", undefined),
  labels: fc.constantFrom<string | Record<string, string> | undefined>(
    undefined,
    { app: "1" },
    { app: "2", tier: "1" },
    "app in (1, 2), tier",
    "app=1, tier!=1",
    "!tier",
  ),
  fields: fc.constantFrom(undefined, "metadata.name=a", "data.v!=1"),
  index: fc.constantFrom(undefined, { v: "1" }, { v: "2" }),
});
const request = fc.constantFrom(...requests);
const name = fc.constantFrom(...names);
const namespace = fc.constantFrom(...namespaces);
const step = fc.oneof(
  { weight: 3, arbitrary: fc.record({ op: fc.constant("object" as const), request, namespace, name }) },
  { weight: 3, arbitrary: fc.record({ op: fc.constant("list" as const), request, listing }) },
  { weight: 3, arbitrary: fc.record({ op: fc.constant("settle" as const), request, completed: fc.boolean() }) },
  fc.record({ op: fc.constant("forget" as const), request }),
  { weight: 4, arbitrary: fc.record({ op: fc.constant("change" as const), namespace, name, old: state, next: state }) },
);

const objectOf = (where: { namespace: string; name: string }, { labels, v }: { labels: object; v: string }) =>
  ({ metadata: { ...where, labels, resourceVersion: "1" }, data: { v } }) as never;

/** What a request depends on, as predicates of objects. */
interface Model {
  completed: ((object: never) => boolean)[];
  failed: ((object: never) => boolean)[];
  current: ((object: never) => boolean)[];
}

test("a change reaches exactly the requests that have read the object, or a list that has it before or after", () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      const reads = new TrackedReads([tracked], Secret);
      const models = new Map<string, Model>();
      const modelOf = (of: string): Model => {
        const known = models.get(of) ?? { completed: [], failed: [], current: [] };
        models.set(of, known);
        return known;
      };
      const routed = (change: Change<AnyKind>): string[] => {
        const found: string[] = [];
        reads.route(tracked, change, { now: (to) => found.push(to), echo: () => found.push("echo") });
        return found.sort();
      };
      for (const one of steps) {
        if (one.op === "object") {
          reads.recordObject(one.request, kind, one);
          modelOf(one.request).current.push(
            ({ metadata }: { metadata: { namespace: string; name: string } }) =>
              metadata.namespace === one.namespace && metadata.name === one.name,
          );
        } else if (one.op === "list") {
          const { namespace: where, labels, fields, index } = one.listing;
          const options = { ...(labels && { labels }), ...(fields && { fields }), ...(index && { index }) };
          const query = new ListQuery(options, { namespace: where, selection });
          reads.recordList(one.request, kind, query);
          modelOf(one.request).current.push(
            (object: { metadata: { namespace: string } }) =>
              (where === undefined || object.metadata.namespace === where) && query.matches(object as never),
          );
        } else if (one.op === "settle") {
          reads.settle(one.request, one.completed);
          const model = modelOf(one.request);
          if (one.completed) Object.assign(model, { completed: model.current, failed: [] });
          else if (model.current.length > 0) model.failed = model.current;
          model.current = [];
        } else if (one.op === "forget") {
          reads.forget(one.request);
          models.delete(one.request);
        } else {
          const [old, next] = [objectOf(one, one.old), objectOf(one, one.next)];
          const expected = [...models].filter(([, { completed, failed, current }]) =>
            [...completed, ...failed, ...current].some((reads) => reads(old) || reads(next)),
          );
          expect(routed({ kind: "updated", old, new: next, listed: false })).toEqual(expected.map(([to]) => to).sort());
        }
      }
      for (const of of requests) reads.forget(of);
      expect(reads.size).toBe(0);
      const left = objectOf({ namespace: "one", name: "a" }, { labels: { app: "1", tier: "1" }, v: "1" });
      expect(routed({ kind: "added", new: left, initial: false })).toEqual([]);
    }),
    { numRuns: 300 },
  );
});

test("a run that reads nothing leaves nothing behind", () => {
  const reads = new TrackedReads([tracked], undefined);
  reads.recordObject("x", kind, { namespace: "one", name: "a" });
  reads.settle("x", true);
  expect(reads.size).toBe(1);
  reads.settle("x", true);
  expect(reads.size).toBe(0);
  reads.recordObject("x", Secret, { namespace: "one", name: "a" });
  expect([reads.size, reads.tracks(Secret), reads.tracks(kind)]).toEqual([0, false, true]);
});

test("the event of a write by the request's own run is an echo for that request only, also when it is faster than the response", async () => {
  const reads = new TrackedReads([{ kind: ConfigMap, selection: everything }], undefined);
  const [first] = reads.tracked;
  const found: string[] = [];
  const arrives = (version: string): void => {
    const object = { metadata: { namespace: "one", name: "a", resourceVersion: version } } as never;
    const change = { kind: "updated", old: object, new: object, listed: false } as const;
    if (first !== undefined)
      reads.route(first, change, { now: (to) => found.push(to), echo: (to) => found.push(`${to} echo`) });
  };
  for (const of of ["x", "y"]) reads.recordObject(of, ConfigMap, { namespace: "one", name: "a" });
  await reads.write("x", ConfigMap, async () => {
    arrives("2");
    expect(found.splice(0)).toEqual(["y"]);
    return { metadata: { namespace: "one", name: "a", resourceVersion: "2" } };
  });
  expect(found.splice(0)).toEqual(["x echo"]);
  arrives("3");
  expect(found.splice(0)).toEqual(["x", "y"]);
  reads.settle("x", true);
  arrives("2");
  expect(found.splice(0)).toEqual(["x echo", "y"]);
  reads.settle("x", true);
  arrives("2");
  expect(found.splice(0)).toEqual(["y"]);
  await expect(reads.write("y", ConfigMap, () => Promise.reject(new Error("conflict")))).rejects.toThrow("conflict");
  arrives("4");
  expect(found).toEqual(["y"]);
});
