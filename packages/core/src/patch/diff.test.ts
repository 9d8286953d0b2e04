import fc from "fast-check";
import { expect, test } from "vitest";
import type { JsonObject, JsonValue } from "../json/index.js";
import type { Schema } from "../schema/index.js";
import { applyJsonPatch, applyStrategicMergePatch, diffJsonPatch, diffStrategicMergePatch } from "./index.js";

const json = fc.jsonValue({ maxDepth: 3 }).map((value): JsonValue => JSON.parse(JSON.stringify(value)));

test("applying the JSON patch of two values to the first gives the second", () => {
  fc.assert(
    fc.property(json, json, (from, to) => {
      expect(applyJsonPatch(from, diffJsonPatch(from, to))).toEqual(to);
    }),
  );
});

test("a JSON patch of equal values is empty, and one of a small edit is small", () => {
  expect(diffJsonPatch({ a: [1, { b: 2 }] }, { a: [1, { b: 2 }] })).toEqual([]);
  expect(
    diffJsonPatch({ list: ["a", "b", "d"], "x/y": { "~": 1 } }, { list: ["a", "b", "c", "d"], "x/y": { "~": 2 } }),
  ).toEqual([
    { op: "add", path: "/list/2", value: "c" },
    { op: "replace", path: "/x~1y/~0", value: 2 },
  ]);
});

const schema: Schema = {
  type: "object",
  properties: {
    containers: {
      type: "array",
      "x-kubernetes-patch-strategy": "merge",
      "x-kubernetes-patch-merge-key": "name",
      items: {
        type: "object",
        properties: { name: { type: "string" }, args: { type: "array", items: { type: "string" } } },
      },
    },
    finalizers: { type: "array", items: { type: "string" }, "x-kubernetes-patch-strategy": "merge" },
    strategy: { type: "object", "x-kubernetes-patch-strategy": "retainKeys", additionalProperties: { type: "string" } },
    plain: { type: "array", items: { type: "integer" } },
  },
};

const names = fc.constantFrom("a", "b", "c", "d");
const container = fc.record({ image: fc.string(), args: fc.array(fc.string()) }, { requiredKeys: [] });
const specs = fc
  .record(
    {
      containers: fc
        .uniqueArray(fc.tuple(names, container), { selector: ([name]) => name })
        .map((list) => list.map(([name, rest]) => ({ name, ...rest }))),
      finalizers: fc.uniqueArray(names),
      strategy: fc.dictionary(names, fc.string()),
      plain: fc.array(fc.integer()),
      labels: fc.dictionary(names, fc.string()),
    },
    { requiredKeys: [] },
  )
  .map((spec): JsonObject => JSON.parse(JSON.stringify(spec)));

test("applying the strategic merge patch of two objects to the first gives the second", () => {
  fc.assert(
    fc.property(specs, specs, (from, to) => {
      const patch = diffStrategicMergePatch(from, to, schema);
      expect(patch === undefined ? from : applyStrategicMergePatch(from, patch, schema)).toEqual(to);
    }),
    { numRuns: 1_000 },
  );
});

test("applying a strategic merge patch twice changes nothing more", () => {
  fc.assert(
    fc.property(specs, specs, (from, to) => {
      const patch = diffStrategicMergePatch(from, to, schema) ?? {};
      const once = applyStrategicMergePatch(from, patch, schema);
      expect(applyStrategicMergePatch(once, patch, schema)).toEqual(once);
    }),
  );
});

test("a strategic merge patch names elements by their key, and deletes by directive", () => {
  const from = {
    containers: [
      { name: "a", image: "1" },
      { name: "b", image: "1" },
    ],
    strategy: { type: "x", rolling: "y" },
  };
  const to = { containers: [{ name: "a", image: "2" }], strategy: { type: "z" } };
  expect(diffStrategicMergePatch(from, to, schema)).toEqual({
    containers: [
      { name: "a", image: "2" },
      { name: "b", $patch: "delete" },
    ],
    "$setElementOrder/containers": [{ name: "a" }],
    strategy: { type: "z", rolling: null, $retainKeys: ["type"] },
  });
});
