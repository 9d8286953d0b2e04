import { expect, test } from "vitest";
import type { Schema } from "../schema/index.js";
import { checkTyped, typedMessage } from "./index.js";

const schema: Schema = {
  type: "object",
  properties: {
    spec: {
      type: "object",
      properties: {
        size: { type: "integer" },
        set: { type: "array", items: { type: "string" }, "x-kubernetes-list-type": "set" },
        free: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
        raw: { type: "object" },
      },
    },
  },
};

test("type errors are reported with their path, and null is valid for every type", () => {
  expect(checkTyped({ spec: { size: null, free: { a: [1] } } }, schema)).toEqual([]);
  expect(checkTyped({ spec: { size: "1" } }, schema)).toEqual([
    ".spec.size: expected numeric (int or float), got string",
  ]);
  expect(checkTyped({ spec: { set: { b: 1, a: [null] } } }, schema)).toEqual([
    ".spec.set: expected list, got &{map[a:[<nil>] b:1]}",
  ]);
  expect(checkTyped({ nothing: 1, metadata: { labels: { a: true } } }, schema)).toEqual([
    ".nothing: field not declared in schema",
    ".metadata.labels.a: expected string, got &value.valueUnstructured{Value:true}",
  ]);
});

test("duplicate elements are accepted with allowDuplicates", () => {
  const object = { spec: { set: ["a", "a"] } };
  expect(checkTyped(object, schema)).toEqual(['.spec.set: duplicate entries for key [="a"]']);
  expect(checkTyped(object, schema, { allowDuplicates: true })).toEqual([]);
});

test("a null key differs from its default", () => {
  const owned = (...ownerReferences: { uid?: string | null }[]) =>
    checkTyped({ metadata: { ownerReferences } }, schema);
  expect(owned({ uid: null }, { uid: "" }, { uid: "1" })).toEqual([]);
  expect(owned({ uid: "" }, {})).toEqual(['.metadata.ownerReferences: duplicate entries for key [uid=""]']);
  expect(owned({ uid: null }, { uid: null })).toEqual([
    ".metadata.ownerReferences: duplicate entries for key [uid=null]",
  ]);
});

test("objects without declared fields accept any field only with keepOpaqueObjects", () => {
  const object = { spec: { raw: { a: 1 } } };
  expect(checkTyped(object, schema)).toEqual([".spec.raw.a: field not declared in schema"]);
  expect(checkTyped(object, schema, { keepOpaqueObjects: true })).toEqual([]);
});

test("several errors are joined into one message", () => {
  expect(typedMessage(["a"])).toBe("a");
  expect(typedMessage(["a", "b"])).toBe("errors:\n  a\n  b");
});
