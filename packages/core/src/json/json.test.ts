import fc from "fast-check";
import { expect, test } from "vitest";
import {
  cloneJson,
  deepEqual,
  deepFreeze,
  getOwn,
  isJsonObject,
  normaliseJson,
  parseJson,
  setOwn,
  stringifyJson,
} from "./index.js";

const roundTrip = (value: unknown): unknown => parseJson(JSON.stringify(value));

/** Values beyond JSON, with keys that exist on the prototype. */
const { anything } = fc.letrec((tie) => ({
  key: fc.oneof(fc.string(), fc.constantFrom("__proto__", "constructor", "toString", "0")),
  leaf: fc.oneof(
    fc.string(),
    fc.double(),
    fc.boolean(),
    fc.constantFrom(null, undefined, -0, Number.NaN, Number.POSITIVE_INFINITY, Symbol("s"), () => 1),
    fc.date({ noInvalidDate: false }),
    fc.constantFrom(new Number(3), new String("x"), new Boolean(false), new Map([[1, 2]])),
  ),
  anything: fc.oneof(
    { depthSize: "small" },
    tie("leaf"),
    fc.array(tie("anything"), { maxLength: 4 }),
    fc.array(fc.tuple(tie("key"), tie("anything")), { maxLength: 4 }).map((entries) => {
      const object: Record<string, unknown> = {};
      for (const [key, value] of entries) setOwn(object, key as string, value);
      return object;
    }),
  ),
}));

test("normaliseJson returns the result of a JSON round trip, including key order", () => {
  fc.assert(
    fc.property(anything, (value) => {
      fc.pre(JSON.stringify(value) !== undefined);
      expect(stringifyJson(normaliseJson(value))).toBe(JSON.stringify(value));
      expect(deepEqual(normaliseJson(value), roundTrip(value))).toBe(true);
    }),
  );
});

test("normaliseJson turns -0 into 0", () => {
  expect(Object.is(normaliseJson(-0), 0)).toBe(true);
});

test("normaliseJson rejects values that JSON cannot represent", () => {
  const cycle: Record<string, unknown> = {};
  cycle["self"] = [cycle];
  expect(() => normaliseJson(cycle)).toThrow(/contains itself/);
  expect(() => normaliseJson(undefined)).toThrow(/no value for undefined/);
  expect(() => normaliseJson(() => 1)).toThrow(/no value for function/);
});

test("normaliseJson accepts a shared object and limits the depth", () => {
  const shared = { a: 1 };
  expect(normaliseJson([shared, shared])).toEqual([shared, shared]);
  expect(normaliseJson([[1]], { maxDepth: 2 })).toEqual([[1]]);
  expect(() => normaliseJson([[[]]], { maxDepth: 2 })).toThrow(/deeper than 2/);
});

test("cloneJson returns a mutable deep copy of a frozen value", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const copy = cloneJson(deepFreeze(value));
      expect(deepEqual(copy, value)).toBe(true);
      if (isJsonObject(copy)) expect(Object.isFrozen(copy)).toBe(false);
    }),
  );
  const copy = cloneJson(JSON.parse('{"__proto__":{"polluted":true}}'));
  expect(Object.keys(copy)).toEqual(["__proto__"]);
  expect(copy.polluted).toBeUndefined();
});

test("deepFreeze freezes every level and skips frozen values", () => {
  const inner = { a: [1] };
  expect(() => deepFreeze({ inner }).inner.a.concat()).not.toThrow();
  expect(Object.isFrozen(inner.a)).toBe(true);
  const trusted = Object.freeze({ open: {} });
  deepFreeze({ trusted });
  expect(Object.isFrozen(trusted.open)).toBe(false);
});

test("deepEqual ignores the order of keys and nothing else", () => {
  expect(deepEqual({ a: 1, b: [1, 2] }, { b: [1, 2], a: 1 })).toBe(true);
  expect(deepEqual([1, 2], [2, 1])).toBe(false);
  expect(deepEqual({}, [])).toBe(false);
  expect(deepEqual([], {})).toBe(false);
  expect(deepEqual({ a: undefined }, { b: undefined })).toBe(false);
  expect(deepEqual({ constructor: Object }, {})).toBe(false);
  expect(deepEqual(null, {})).toBe(false);
});

test("getOwn does not see inherited keys", () => {
  expect(getOwn({}, "constructor")).toBeUndefined();
  expect(getOwn({ a: 1 }, "a")).toBe(1);
});
