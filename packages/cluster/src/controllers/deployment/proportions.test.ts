import fc from "fast-check";
import { expect, test } from "vitest";
import { proportions } from "./proportions.js";
import type { ReplicaSetView } from "./replica-sets.js";

function set(name: string, replicas: number, max: number): ReplicaSetView {
  const annotations = { "deployment.kubernetes.io/max-replicas": String(max) };
  return {
    metadata: { name, creationTimestamp: `2030-01-01T00:00:0${name}Z`, annotations },
    spec: { replicas },
  } as unknown as ReplicaSetView;
}

const sizes = (result: ReadonlyMap<ReplicaSetView, number>) =>
  Object.fromEntries([...result].map(([{ metadata }, size]) => [metadata.name, size]));

test("ReplicaSets grow and shrink in their shares, and what is left over goes to the largest", () => {
  const two = [set("1", 8, 13), set("2", 5, 13)];
  expect(sizes(proportions(two, { wanted: 30, max: 33, actual: 13 }))).toEqual({ "1": 20, "2": 13 });
  expect(sizes(proportions(two, { wanted: 4, max: 4, actual: 13 }))).toEqual({ "1": 2, "2": 2 });
  expect(sizes(proportions(two, { wanted: 0, max: 0, actual: 13 }))).toEqual({ "1": 0, "2": 0 });
});

test("of equal ReplicaSets the newer grows first, and the older shrinks first", () => {
  const two = [set("1", 3, 6), set("2", 3, 6)];
  expect(sizes(proportions(two, { wanted: 7, max: 7, actual: 6 }))).toEqual({ "1": 3, "2": 4 });
  expect(sizes(proportions(two, { wanted: 5, max: 5, actual: 6 }))).toEqual({ "1": 2, "2": 3 });
});

test("together they always get what the Deployment may have, and none fewer than none", () => {
  const sets = fc.array(fc.integer({ min: 1, max: 20 }), { minLength: 1, maxLength: 5 });
  fc.assert(
    fc.property(sets, fc.integer({ min: 0, max: 60 }), fc.nat(5), (given, wanted, surge) => {
      const actual = given.reduce((sum, replicas) => sum + replicas, 0);
      const all = given.map((replicas, index) => set(String(index), replicas, actual));
      const result = [...proportions(all, { wanted, max: wanted + surge, actual }).values()];
      expect(Math.min(...result)).toBeGreaterThanOrEqual(0);
      const total = result.reduce((sum, size) => sum + size, 0);
      expect(total).toBe(wanted === 0 ? 0 : wanted + surge);
    }),
  );
});
