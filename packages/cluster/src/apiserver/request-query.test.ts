import { expect, test } from "vitest";
import { parseQuery } from "./request-query.js";

test("the first value of a repeated parameter counts, but all values of dryRun", () => {
  expect(parseQuery("dryRun=All&limit=1&dryRun=Some&limit=2")).toEqual({
    query: { dryRun: "All", limit: "1" },
    dryRun: ["All", "Some"],
  });
  expect(parseQuery("limit=1")).toEqual({ query: { limit: "1" }, dryRun: [] });
});

test("malformed parameters are skipped", () => {
  expect(parseQuery("a=%zz&b=1;c&%q=1&d=%C3%A9+x&=e&&f").query).toEqual({ d: "é x", "": "e", f: "" });
});

test("a parameter named __proto__ is an ordinary parameter", () => {
  expect(Object.entries(parseQuery("__proto__=1&constructor=2").query)).toEqual([
    ["__proto__", "1"],
    ["constructor", "2"],
  ]);
});
