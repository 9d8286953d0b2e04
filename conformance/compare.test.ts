import { expect, test } from "vitest";
import { differences, isAt } from "./compare.js";

test("equal responses have no differences", () => {
  const seen = [{ status: 200, body: { a: [1, { b: null }] } }];
  expect(differences(seen, structuredClone(seen))).toEqual([]);
});

test("a difference is named by step and path", () => {
  const recorded = [{ status: 200, body: { a: [1, { b: "x" }] } }];
  const given = [{ status: 200, body: { a: [1, { b: "y" }], c: 1 } }];
  expect(differences(recorded, given)).toEqual([
    { at: "1 body.a[1].b", recorded: "x", given: "y" },
    { at: "1 body.c", recorded: undefined, given: 1 },
  ]);
});

test("responses with different statuses are one difference, and so is a missing step", () => {
  const [first, second] = differences([{ status: 200, body: {} }, { status: 200 }], [{ status: 404, body: {} }]);
  expect(first?.at).toBe("1");
  expect(second?.at).toBe("2");
});

test("a path covers its children and not its siblings", () => {
  expect(isAt("2 body.a.b", "2 body.a")).toBe(true);
  expect(isAt("2 body.a[0]", "2")).toBe(true);
  expect(isAt("2 body.ab", "2 body.a")).toBe(false);
  expect(isAt("22 body", "2")).toBe(false);
  expect(isAt("1 body.rows[3].cells[0]", "1 body.rows[*].cells")).toBe(true);
  expect(isAt("1 body.rows[3].cells[0]", "1 body.rows[*].cells[1]")).toBe(false);
  expect(isAt("1 body.rows[3].name", "1 body.rows[*].cells")).toBe(false);
});
