import { expect, test } from "vitest";
import { parseQuery } from "./request-query.js";

test("of an option that stands twice the first counts, of a dry run all do", () => {
  expect(parseQuery(new URLSearchParams("dryRun=All&limit=1&dryRun=Some&limit=2"))).toEqual({
    query: { dryRun: "All", limit: "1" },
    dryRun: ["All", "Some"],
  });
  expect(parseQuery(new URLSearchParams("limit=1"))).toEqual({ query: { limit: "1" }, dryRun: [] });
});
