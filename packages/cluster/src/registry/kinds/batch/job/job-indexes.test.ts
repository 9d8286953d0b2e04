import { expect, test } from "vitest";
import { overlapOf, parseIndexes } from "./job-indexes.js";

test("valid indexes are counted", () => {
  expect(parseIndexes("", 5)).toEqual({ kind: "valid", count: 0 });
  expect(parseIndexes("0,2-4", 5)).toEqual({ kind: "valid", count: 4 });
});

test.each([
  ["5", 'too large index: "5"'],
  ["3,1", "non-increasing order, previous: 3, current: 1"],
  ["2-2", "non-increasing order, previous: 2, current: 2"],
  ["x", 'cannot convert string to integer for index: "x"'],
  [
    "0-1-2",
    "the fragment \"0-1-2\" violates the requirement that an index interval can have at most two parts separated by '-'",
  ],
])("indexes %s are rejected", (text, why) => {
  expect(parseIndexes(text, 5)).toEqual({ kind: "invalid", why });
});

test("overlapOf returns the first index that both succeeded and failed", () => {
  expect(overlapOf("0-2,4", "3-4", 5)).toBe(4);
  expect(overlapOf("0,x", "1-3", 5)).toBeUndefined();
});
