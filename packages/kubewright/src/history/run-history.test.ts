import fc from "fast-check";
import { expect, test } from "vitest";
import type { Cause } from "../route/index.js";
import { fieldChanges, RunHistory } from "./index.js";

const everything = () => true;

function run(key: string, causes: readonly Cause[] = [{ source: "every" }]) {
  return {
    controller: "website",
    kind: "web.example.com/v1/Website",
    key,
    verb: "reconcile",
    reconcileId: undefined,
    startedAtMs: 0,
    durationMs: 1,
    causes,
    recording: undefined,
    outcome: { kind: "done" },
  } as const;
}

test("RunHistory keeps the last ten runs of an object, and counts all of them", () => {
  const history = new RunHistory();
  for (let count = 0; count < 12; count++) history.add(run("default/shop"));
  expect(history.find(everything).map((one) => one.run)).toEqual([3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
});

test("RunHistory never exceeds its memory limit, keeps the object that ran last, and frees all that it drops", () => {
  const keys = fc.array(fc.tuple(fc.integer({ min: 0, max: 30 }), fc.integer({ min: 0, max: 2_000 })), {
    maxLength: 200,
  });
  fc.assert(
    fc.property(keys, (added) => {
      const history = new RunHistory({ maxBytes: 20_000 });
      for (const [key, length] of added) {
        history.add(run(`default/${key}`, [{ source: "retry", error: "x".repeat(length) }]));
        expect(history.bytes).toBeLessThanOrEqual(20_000);
        expect(history.find(({ key: kept }) => kept === `default/${key}`).length).toBeGreaterThan(0);
      }
      history.forget("website");
      expect(history.bytes).toBe(0);
      expect(history.find(everything)).toEqual([]);
    }),
    { numRuns: 30 },
  );
});

test("RunHistory cuts long errors and many causes, and marks the run", () => {
  const history = new RunHistory();
  const causes = Array.from({ length: 20 }, (): Cause => ({ source: "retry", error: "x".repeat(10_000) }));
  history.add({ ...run("default/shop", causes), outcome: { kind: "terminal", error: "y".repeat(10_000) } });
  const [kept] = history.find(everything);
  expect(kept?.causes).toHaveLength(8);
  expect(kept?.truncated).toBe(true);
  expect(kept?.causes[0]?.error).toHaveLength(500);
  expect(kept?.outcome.error).toHaveLength(500);
});

test("fieldChanges names items of lists, and shows scalars only", () => {
  const before = { spec: { replicas: 1, containers: [{ name: "web", image: "a", ports: [80] }], old: true } };
  const after = {
    spec: { replicas: 2, containers: [{ name: "web", image: "b", ports: [80, 81] }], labels: { a: "b" } },
  };
  expect(fieldChanges(before, after, { values: true })).toEqual([
    { path: ".spec.replicas", change: "changed", before: 1, after: 2 },
    { path: ".spec.containers[web].image", change: "changed", before: "a", after: "b" },
    { path: ".spec.containers[web].ports", change: "changed" },
    { path: ".spec.old", change: "removed", before: true },
    { path: ".spec.labels", change: "added" },
  ]);
});

test("fieldChanges shows no value of environment variables, command lines, data, annotations and passwords", () => {
  const state = (value: string) => ({
    data: { key: value },
    metadata: { annotations: { key: value } },
    spec: { containers: [{ name: "web", env: [{ name: "A", value }], args: [value] }], login: { password: value } },
  });
  const schema = {
    properties: { spec: { properties: { login: { additionalProperties: { type: "string", format: "password" } } } } },
  };
  const changes = fieldChanges(state("one"), state("two"), { values: true, schema });
  expect(changes).toHaveLength(5);
  expect(JSON.stringify(changes)).not.toMatch(/one|two/);
  expect(fieldChanges({ a: "one" }, { a: "two" }, { values: false })).toEqual([{ path: ".a", change: "changed" }]);
});
