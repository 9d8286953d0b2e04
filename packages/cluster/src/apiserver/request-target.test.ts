import fc from "fast-check";
import { expect, test } from "vitest";
import { parseTarget } from "./request-target.js";

test("a path stays as it was sent", () => {
  expect(parseTarget("/api/v1/../v1/%2e%2e//x?limit=1")).toEqual({
    path: "/api/v1/../v1/%2e%2e//x",
    query: { limit: "1" },
    dryRun: [],
  });
});

test("of a whole address the path counts", () => {
  expect(parseTarget("https://example.com:1/healthz?verbose")?.path).toBe("/healthz");
  expect(parseTarget("https://example.com")?.path).toBe("/");
});

test("what is no path is told apart", () => {
  expect(parseTarget("/api/%zz")).toBeUndefined();
  expect(parseTarget("*")).toBeUndefined();
});

test("no target makes it throw", () => {
  fc.assert(fc.property(fc.string(), (text) => parseTarget(text) === undefined || parseTarget(text)?.path !== ""));
});
