import fc from "fast-check";
import { expect, test } from "vitest";
import { assignShards, shardOf } from "./assign-shards.js";

const members = fc.uniqueArray(fc.string({ minLength: 1, maxLength: 20 }), { minLength: 1, maxLength: 12 });
const counts = fc.integer({ min: 1, max: 64 });

test("every shard has an owner, no member has more than one above the average, and member order does not matter", () => {
  fc.assert(
    fc.property(members, counts, (names, count) => {
      const owners = assignShards(count, names);
      expect(owners).toHaveLength(count);
      for (const owner of owners) expect(names).toContain(owner);
      const most = Math.max(...names.map((name) => owners.filter((owner) => owner === name).length));
      expect(most).toBeLessThanOrEqual(Math.ceil(count / names.length));
      expect(assignShards(count, [...names].reverse())).toEqual(owners);
    }),
    { numRuns: 50 },
  );
});

test("a new member gets its share, and few other shards move", () => {
  const names = ["a", "b", "c", "d"];
  const before = assignShards(64, names);
  const after = assignShards(64, [...names, "e"]);
  const moved = before.filter((owner, shard) => owner !== after[shard]).length;
  expect(after.filter((owner) => owner === "e").length).toBeGreaterThanOrEqual(12);
  expect(moved).toBeLessThanOrEqual(32);
});

test("keys are spread over all shards, deterministically", () => {
  const perShard = new Array<number>(16).fill(0);
  for (let index = 0; index < 16_000; index++) {
    const shard = shardOf(`default/object-${index}`, 16);
    perShard[shard] = (perShard[shard] ?? 0) + 1;
  }
  for (const keys of perShard) expect(keys).toBeGreaterThan(850);
  expect(["default/shop", "kube-system/a", "b"].map((key) => shardOf(key, 32))).toMatchInlineSnapshot(`
    [
      20,
      0,
      18,
    ]
  `);
});
