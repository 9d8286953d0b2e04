import { expect, test } from "vitest";
import { JsonCache } from "./json-cache.js";

test("the JSON of an object is correct after its entry was evicted, and after a mutable object changed", () => {
  const cache = new JsonCache();
  const first = Object.freeze({ kind: "First" });
  expect(cache.of(first)).toBe('{"kind":"First"}');
  for (let index = 0; index < 40; index++) {
    const large = Object.freeze({ index, text: "x".repeat(1024 * 1024) });
    expect(cache.of(large).length).toBeGreaterThan(1024 * 1024);
  }
  expect(cache.of(first)).toBe('{"kind":"First"}');
  const open = { kind: "Open" };
  cache.of(open);
  open.kind = "Changed";
  expect(cache.of(open)).toBe('{"kind":"Changed"}');
});
