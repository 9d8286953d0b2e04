import { expect, test } from "vitest";
import { settleMergePatch } from "./settle-merge-patch.js";

test("nulls vanish inside of lists that are new or replace a list, and stay where they take a field away", () => {
  const current = { spec: { list: [1], object: {}, gone: 1 } };
  const patch = { spec: { list: [{ a: null }], added: [{ b: [{ c: null }] }], gone: null } };
  expect(settleMergePatch(current, patch)).toEqual({ spec: { list: [{}], added: [{ b: [{}] }], gone: null } });
});

test("a list in the place of an object is taken as it is", () => {
  expect(settleMergePatch({ a: {} }, { a: [{ b: null }] })).toEqual({ a: [{ b: null }] });
});
