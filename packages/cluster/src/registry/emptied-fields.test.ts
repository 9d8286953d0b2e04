import { expect, test } from "vitest";
import { emptiedFields, rememberEmptied } from "./emptied-fields.js";

test("what was sent empty is remembered of an object, not of objects that look like it", () => {
  const object = { kind: "ConfigMap" };
  rememberEmptied(object, new Set(["data"]));
  expect(emptiedFields(object)).toEqual(new Set(["data"]));
  expect(emptiedFields({ ...object })).toEqual(new Set());
});

test("of an object that had nothing empty nothing is remembered", () => {
  const object = {};
  rememberEmptied(object, new Set());
  expect(emptiedFields(object)).toEqual(new Set());
});
