import { expect, test } from "vitest";
import { normalizeMergePatch } from "./normalize-merge-patch.js";

test("nulls are dropped inside lists that are new or replace a list, and kept where they delete a field", () => {
  const current = { spec: { list: [1], object: {}, gone: 1 } };
  const patch = { spec: { list: [{ a: null }], added: [{ b: [{ c: null }] }], gone: null } };
  expect(normalizeMergePatch(current, patch)).toEqual({ spec: { list: [{}], added: [{ b: [{}] }], gone: null } });
});

test("a list that replaces an object is kept unchanged", () => {
  expect(normalizeMergePatch({ a: {} }, { a: [{ b: null }] })).toEqual({ a: [{ b: null }] });
});
