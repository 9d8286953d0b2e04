import fc from "fast-check";
import { expect, test } from "vitest";
import { isOlderVersion } from "./index.js";

test("isOlderVersion compares decimal resourceVersions of any length", () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 1n, max: 2n ** 128n }), fc.bigInt({ min: 1n, max: 2n ** 128n }), (a, b) => {
      expect(isOlderVersion(String(a), String(b))).toBe(a < b);
    }),
  );
  expect(isOlderVersion("", "1")).toBe(true);
});

test("an opaque resourceVersion is not older than any other", () => {
  for (const [a, b] of [
    ["abc", "abd"],
    ["5f3a", "60000"],
    ["9", "etag-1"],
    ["W1", "10"],
  ] as const) {
    expect(isOlderVersion(a, b)).toBe(false);
    expect(isOlderVersion(b, a)).toBe(false);
  }
});
