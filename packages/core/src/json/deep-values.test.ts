import { expect, test } from "vitest";
import { cloneJson, deepEqual, deepFreeze } from "./index.js";

/** A kube-apiserver accepts 10,000 levels; more of them, so that no stack size of the test runner hides a recursion. */
const levels = 100_000;
const nested = (innermost: string): { a: unknown } =>
  JSON.parse(`{"a":[${'{"a":['.repeat(levels / 2)}${innermost}${"]}".repeat(levels / 2)}]}`) as { a: unknown };

/** Visits each level; returns the innermost value. */
const walk = (root: unknown, visit: (part: object) => void): unknown => {
  let part = root;
  while (typeof part === "object" && part !== null) {
    visit(part);
    part = Array.isArray(part) ? part[0] : (part as { a: unknown }).a;
  }
  return part;
};

test("deepFreeze freezes every level of a value of 100,000 levels", () => {
  let levelsFrozen = 0;
  const frozen = deepFreeze(nested("1"));
  expect(walk(frozen, (part) => (levelsFrozen += Object.isFrozen(part) ? 1 : 0))).toBe(1);
  expect(levelsFrozen).toBe(levels + 2);
});

test("deepEqual compares values of 100,000 levels, also at the innermost one", () => {
  expect(deepEqual(nested("1"), nested("1"))).toBe(true);
  expect(deepEqual(nested("1"), nested("2"))).toBe(false);
  // What the comparison before left undone must not be compared now.
  expect(deepEqual({ a: [1] }, { a: [1] })).toBe(true);
  expect(deepEqual({ a: nested("1"), b: 1 }, { a: nested("2"), b: 2 })).toBe(false);
  expect(deepEqual({ a: 1 }, { a: 1 })).toBe(true);
});

test("a value of 100,000 nested arrays is frozen, compared and copied", () => {
  const arrays = (): unknown => JSON.parse(`${"[".repeat(levels)}${"]".repeat(levels)}`);
  const copy = cloneJson(deepFreeze(arrays()));
  expect(Object.isFrozen(copy)).toBe(false);
  expect(deepEqual(copy, arrays())).toBe(true);
});

test("cloneJson copies a value of 100,000 levels, with no part shared", () => {
  const value = deepFreeze(nested('{"x":"y"}'));
  const copy = cloneJson(value);
  expect(deepEqual(copy, value)).toBe(true);
  walk(copy, (part) => {
    if (Object.isFrozen(part)) throw new Error("a part is shared with the frozen original");
  });
});
