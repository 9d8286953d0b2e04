import fc from "fast-check";
import { expect, test } from "vitest";
import {
  compareResourceVersions,
  formatApiVersion,
  formatKey,
  isResourceVersion,
  parseApiVersion,
  parseKey,
  qualifiedResource,
} from "./index.js";

test("resourceVersions of any length compare as numbers", () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 1n, max: 10n ** 30n }), fc.bigInt({ min: 1n, max: 10n ** 30n }), (a, b) => {
      expect(Math.sign(compareResourceVersions(String(a), String(b)))).toBe(a < b ? -1 : a > b ? 1 : 0);
    }),
  );
});

test("a resourceVersion is a decimal number above zero", () => {
  expect(["1", "9007199254740993"].every(isResourceVersion)).toBe(true);
  expect(["", "0", "01", "-1", "1.5", "abc", "1 "].some(isResourceVersion)).toBe(false);
});

test("API versions and keys survive formatting and parsing", () => {
  expect(parseApiVersion(formatApiVersion("apps", "v1"))).toEqual({ group: "apps", version: "v1" });
  expect(parseApiVersion(formatApiVersion("", "v1"))).toEqual({ group: "", version: "v1" });
  expect(["a/b/c", "", "/v1", "apps/"].map(parseApiVersion)).toEqual([undefined, undefined, undefined, undefined]);
  expect(parseKey(formatKey({ namespace: "a", name: "b" }))).toEqual({ namespace: "a", name: "b" });
  expect(parseKey(formatKey({ namespace: "", name: "b" }))).toEqual({ namespace: "", name: "b" });
  expect([qualifiedResource("apps", "deployments"), qualifiedResource("", "pods")]).toEqual([
    "deployments.apps",
    "pods",
  ]);
});
