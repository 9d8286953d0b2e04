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

test("ReplicaSets scale proportionally, and the rest goes to the largest", () => {
  const two = [set("1", 8, 13), set("2", 5, 13)];
  expect(sizes(proportions(two, { desired: 30, max: 33, actual: 13 }))).toEqual({ "1": 20, "2": 13 });
  expect(sizes(proportions(two, { desired: 4, max: 4, actual: 13 }))).toEqual({ "1": 2, "2": 2 });
  expect(sizes(proportions(two, { desired: 0, max: 0, actual: 13 }))).toEqual({ "1": 0, "2": 0 });
});

test("of equal ReplicaSets the newer scales up first, and the older scales down first", () => {
  const two = [set("1", 3, 6), set("2", 3, 6)];
  expect(sizes(proportions(two, { desired: 7, max: 7, actual: 6 }))).toEqual({ "1": 3, "2": 4 });
  expect(sizes(proportions(two, { desired: 5, max: 5, actual: 6 }))).toEqual({ "1": 2, "2": 3 });
});

test("proportional sizes add up to the allowed maximum, and none is negative", () => {
  const sets = fc.array(fc.integer({ min: 1, max: 20 }), { minLength: 1, maxLength: 5 });
  fc.assert(
    fc.property(sets, fc.integer({ min: 0, max: 60 }), fc.nat(5), (given, desired, surge) => {
      const actual = given.reduce((sum, replicas) => sum + replicas, 0);
      const all = given.map((replicas, index) => set(String(index), replicas, actual));
      const result = [...proportions(all, { desired, max: desired + surge, actual }).values()];
      expect(Math.min(...result)).toBeGreaterThanOrEqual(0);
      const total = result.reduce((sum, size) => sum + size, 0);
      expect(total).toBe(desired === 0 ? 0 : desired + surge);
    }),
  );
});
