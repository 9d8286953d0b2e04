import { expect, test } from "vitest";
import { RecentMap } from "./recent-map.js";

test("RecentMap keeps what was set or read last, and forgets the rest", () => {
  const map = new RecentMap<object, number>(10);
  const keys = Array.from({ length: 100 }, () => ({}));
  const first = keys[0] ?? {};
  for (const [index, key] of keys.entries()) {
    map.set(key, index);
    expect(map.get(key)).toBe(index);
    // Read all the time: it stays, however much else comes.
    expect(map.get(first)).toBe(0);
  }
  const kept = keys.filter((key) => map.get(key) !== undefined).length;
  expect(kept).toBeGreaterThanOrEqual(10);
  expect(kept).toBeLessThanOrEqual(20);
});
