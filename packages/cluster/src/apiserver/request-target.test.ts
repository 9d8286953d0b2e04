import fc from "fast-check";
import { expect, test } from "vitest";
import { parseTarget } from "./request-target.js";

test("a path is not normalised", () => {
  expect(parseTarget("/api/v1/../v1/%2e%2e//x?limit=1")).toEqual({
    path: "/api/v1/../v1/%2e%2e//x",
    search: "limit=1",
    query: { limit: "1" },
    dryRun: [],
  });
});

test("the origin of an absolute URL is ignored", () => {
  expect(parseTarget("https://example.com:1/healthz?verbose")?.path).toBe("/healthz");
  expect(parseTarget("https://example.com")?.path).toBe("/");
});

test("a malformed target is undefined", () => {
  expect(parseTarget("/api/%zz")).toBeUndefined();
  expect(parseTarget("*")).toBeUndefined();
});

test("no target throws", () => {
  fc.assert(fc.property(fc.string(), (text) => parseTarget(text) === undefined || parseTarget(text)?.path !== ""));
});
