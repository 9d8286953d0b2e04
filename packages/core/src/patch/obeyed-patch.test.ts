import { expect, test } from "vitest";
import type { Schema } from "../schema/index.js";
import { obeyedPatch } from "./obeyed-patch.js";

const schema: Schema = {
  type: "object",
  properties: {
    map: { type: "object", additionalProperties: { type: "string" } },
    list: {
      type: "array",
      "x-kubernetes-patch-strategy": "merge",
      "x-kubernetes-patch-merge-key": "name",
      items: { type: "object", properties: { name: { type: "string" }, inner: { type: "object" } } },
    },
  },
};

test.each([
  ["a null stays where there is a map to take from", { map: { a: "b" } }, { map: { a: null } }, { map: { a: null } }],
  ["a null goes where there is none", {}, { map: { a: null, b: "c" }, x: null }, { map: { b: "c" }, x: null }],
  ["a map that replaces loses its directive", { map: {} }, { map: { $patch: "replace", a: "b" } }, { map: { a: "b" } }],
  ["a map that is deleted keeps it", { map: {} }, { map: { $patch: "delete" } }, { map: { $patch: "delete" } }],
  ["keys that are retained are not told", { map: {} }, { $retainKeys: ["map"], map: {} }, { map: {} }],
  ["an order goes with its list", { list: [] }, { "$setElementOrder/list": [], list: [], map: {} }, { map: {} }],
  [
    "an element that is there is looked into, one that is new is not",
    { list: [{ name: "a" }] },
    {
      list: [
        { name: "a", inner: { x: null } },
        { name: "b", inner: { x: null } },
      ],
    },
    {
      list: [
        { name: "a", inner: {} },
        { name: "b", inner: { x: null } },
      ],
    },
  ],
  [
    "parts of a new map that carry a directive go",
    {},
    { map: { a: { $patch: "delete" }, b: "c" } },
    { map: { b: "c" } },
  ],
])("%s", (_name, target, patch, left) => {
  expect(obeyedPatch(target, patch, schema)).toEqual(left);
});
