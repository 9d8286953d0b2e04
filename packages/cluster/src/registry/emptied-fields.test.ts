import { expect, test } from "vitest";
import { copyEmptied, emptiedFields, rememberEmptied } from "./emptied-fields.js";

test("what was sent empty is remembered of an object and of its copies, not of objects that look like it", () => {
  const object = { kind: "ConfigMap" };
  rememberEmptied(object, new Set(["data"]));
  const copy = { ...object };
  expect(emptiedFields(object)).toEqual(new Set(["data"]));
  expect(emptiedFields(copy)).toEqual(new Set());
  expect(copyEmptied(copy, object)).toBe(copy);
  expect(emptiedFields(copy)).toEqual(new Set(["data"]));
});

test("an object of which nothing is remembered gives its copies nothing", () => {
  const object = {};
  rememberEmptied(object, new Set());
  expect(emptiedFields(copyEmptied({}, object))).toEqual(new Set());
});
