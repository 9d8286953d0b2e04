import { expect, test } from "vitest";
import { parseQuery } from "./request-query.js";

test("of an option that stands twice the first counts, of a dry run all do", () => {
  expect(parseQuery("dryRun=All&limit=1&dryRun=Some&limit=2")).toEqual({
    query: { dryRun: "All", limit: "1" },
    dryRun: ["All", "Some"],
  });
  expect(parseQuery("limit=1")).toEqual({ query: { limit: "1" }, dryRun: [] });
});

test("what cannot be read is left out", () => {
  expect(parseQuery("a=%zz&b=1;c&%q=1&d=%C3%A9+x&=e&&f").query).toEqual({ d: "é x", "": "e", f: "" });
});

test("a key of an object's own prototype is a key like any other", () => {
  expect(Object.entries(parseQuery("__proto__=1&constructor=2").query)).toEqual([
    ["__proto__", "1"],
    ["constructor", "2"],
  ]);
});
