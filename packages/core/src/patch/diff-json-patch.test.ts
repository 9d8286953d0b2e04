import fc from "fast-check";
import { expect, test } from "vitest";
import type { JsonValue } from "../json/index.js";
import { applyJsonPatch, diffJsonPatch } from "./index.js";

test("only what differs is in the patch", () => {
  const from = { spec: { a: 1, list: [1, 2, 3], gone: true }, "x/y~z": "old" };
  const to = { spec: { a: 1, list: [1, 3], made: { deep: [] } }, "x/y~z": "new" };
  expect(diffJsonPatch(from, to)).toEqual([
    { op: "remove", path: "/spec/list/1" },
    { op: "remove", path: "/spec/gone" },
    { op: "add", path: "/spec/made", value: { deep: [] } },
    { op: "replace", path: "/x~1y~0z", value: "new" },
  ]);
  expect(diffJsonPatch(from, structuredClone(from))).toEqual([]);
});

test("a changed item of a list is patched in place", () => {
  const containers = (image: string) => ({ containers: [{ name: "a", image }, { name: "b" }] });
  expect(diffJsonPatch(containers("x:1"), containers("x:2"))).toEqual([
    { op: "replace", path: "/containers/0/image", value: "x:2" },
  ]);
});

test("a null is a value: it is added and removed", () => {
  expect(diffJsonPatch({ a: null }, {})).toEqual([{ op: "remove", path: "/a" }]);
  expect(diffJsonPatch({}, { a: null })).toEqual([{ op: "add", path: "/a", value: null }]);
});

/** Few keys and short lists, so that values overlap. */
const { value: json } = fc.letrec<{ value: JsonValue }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, depthSize: "small" },
    fc.constantFrom<JsonValue>(null, true, 0, 1, "", "a", 9_007_199_254_740_993n),
    fc.array(tie("value"), { maxLength: 5 }),
    fc.dictionary(fc.constantFrom("a", "b", "~", "/", "0", "__proto__"), tie("value"), { maxKeys: 4 }),
  ),
}));

test("the patch of two values turns the first into the second", () => {
  fc.assert(
    fc.property(json, json, (from, to) => {
      expect(applyJsonPatch(from, diffJsonPatch(from, to))).toEqual(to);
    }),
    { numRuns: 500 },
  );
});
