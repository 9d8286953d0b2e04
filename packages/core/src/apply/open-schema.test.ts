import { expect, test } from "vitest";
import type { Schema } from "../schema/index.js";
import { checkTyped, fieldSetOf, openSchema } from "./index.js";

const item: Schema = { type: "object", properties: { id: { type: "integer" } } };
const schema: Schema = {
  type: "object",
  properties: {
    bare: { type: "object" },
    empty: { type: "object", properties: {} },
    closed: item,
    kept: {
      type: "object",
      properties: { items: { type: "array", items: item } },
      "x-kubernetes-preserve-unknown-fields": true,
    },
  },
};

test("objects without declared fields, and objects below preserve-unknown-fields, accept any field", () => {
  const object = { bare: { a: 1 }, empty: { a: 1 }, kept: { a: 1, items: [{ id: 1, a: 1 }] } };
  expect(checkTyped(object, openSchema(schema))).toEqual([]);
});

test("objects with declared fields, and the resource itself, accept no other fields", () => {
  expect(checkTyped({ closed: { a: 1 } }, openSchema(schema))).toEqual([".closed.a: field not declared in schema"]);
  expect(checkTyped({ a: 1 }, openSchema({ type: "object" }))).toEqual([".a: field not declared in schema"]);
});

test("an object without declared fields is owned field by field", () => {
  expect(fieldSetOf({ bare: { a: 1 } }, openSchema(schema)).paths()).toEqual([".bare.a"]);
});
