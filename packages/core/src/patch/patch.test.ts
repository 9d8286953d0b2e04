import fc from "fast-check";
import { expect, test } from "vitest";
import { isOperatorError } from "../errors/index.js";
import { deepEqual, deepFreeze, type JsonValue } from "../json/index.js";
import { applyJsonPatch, applyMergePatch, diffMergePatch } from "./index.js";

const key = fc.constantFrom("a", "b", "c", "__proto__", "constructor");
const { json: anyJson } = fc.letrec<{ json: JsonValue }>((tie) => ({
  json: fc.oneof(
    { depthSize: "small" },
    fc.constantFrom(1, 2, "x", true, null),
    fc.array(tie("json"), { maxLength: 3 }),
    fc.array(fc.tuple(key, tie("json")), { maxLength: 4 }).map((entries) => Object.fromEntries(entries)),
  ),
}));

/** Removes null fields, which a merge patch cannot express. */
function withoutNulls(value: JsonValue): JsonValue {
  if (Array.isArray(value) || typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, field]) => field !== null)
      .map(([name, field]) => [name, withoutNulls(field)]),
  );
}

test("applying the diff of two values to the first yields the second", () => {
  fc.assert(
    fc.property(anyJson, anyJson, (a, b) => {
      const from = deepFreeze(a) as JsonValue;
      const to = withoutNulls(b);
      const patch = diffMergePatch(from, to);
      const result = patch === undefined ? from : applyMergePatch(from, patch);
      expect(deepEqual(result, to)).toBe(true);
      expect(patch === undefined).toBe(deepEqual(from, to));
    }),
  );
});

test("a merge patch is idempotent, and returns the target itself if nothing changes", () => {
  fc.assert(
    fc.property(anyJson, anyJson, (target, patch) => {
      const once = applyMergePatch(deepFreeze(target) as JsonValue, deepFreeze(patch) as JsonValue);
      expect(applyMergePatch(once, patch)).toBe(once);
    }),
  );
});

test.each<[JsonValue, JsonValue, JsonValue]>([
  [{ a: "b" }, { a: "c" }, { a: "c" }],
  [{ a: "b" }, { b: "c" }, { a: "b", b: "c" }],
  [{ a: "b", b: "c" }, { a: null }, { b: "c" }],
  [{ a: ["b"] }, { a: "c" }, { a: "c" }],
  [{ a: { b: "c" } }, { a: { b: "d", c: null } }, { a: { b: "d" } }],
  [{ a: [{ b: "c" }] }, { a: [1] }, { a: [1] }],
  [
    ["a", "b"],
    ["c", "d"],
    ["c", "d"],
  ],
  [{ a: "foo" }, null, null],
  [{ a: "foo" }, "bar", "bar"],
  [{ e: null }, { a: 1 }, { e: null, a: 1 }],
  [[1, 2], { a: "b", c: null }, { a: "b" }],
  [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
])("merge patch of RFC 7396: %j with %j is %j", (target, patch, expected) => {
  expect(applyMergePatch(target, patch)).toEqual(expected);
});

test("patches treat __proto__ and constructor as data", () => {
  const patch = JSON.parse('{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}');
  const result = applyMergePatch({}, patch);
  expect(Object.keys(result as object)).toEqual(["__proto__", "constructor"]);
  expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
  expect(() => applyJsonPatch({}, [{ op: "add", path: "/__proto__/polluted", value: 1 }])).toThrow(/does not exist/);
});

test.each<[string, JsonValue, JsonValue, JsonValue]>([
  ["add a member", { foo: "bar" }, [{ op: "add", path: "/baz", value: "qux" }], { baz: "qux", foo: "bar" }],
  ["insert", { f: [1, 3] }, [{ op: "add", path: "/f/1", value: 2 }], { f: [1, 2, 3] }],
  ["append", { f: [1] }, [{ op: "add", path: "/f/-", value: [2] }], { f: [1, [2]] }],
  ["remove a member", { a: 1, b: 2 }, [{ op: "remove", path: "/a" }], { b: 2 }],
  ["remove an element", { f: [1, 2, 3] }, [{ op: "remove", path: "/f/1" }], { f: [1, 3] }],
  ["a missing value", {}, [{ op: "add", path: "/a" }], { a: null }],
  ["an index from the end", { a: [1, 2] }, [{ op: "remove", path: "/a/-1" }], { a: [1] }],
  ["copy of a missing key", {}, [{ op: "copy", from: "/a", path: "/b" }], { b: null }],
  ["replace of a missing key", { a: 1 }, [{ op: "replace", path: "/b", value: 2 }], { a: 1, b: 2 }],
  ["replace", { a: 1 }, [{ op: "replace", path: "/a", value: null }], { a: null }],
  ["replace all", { a: 1 }, [{ op: "replace", path: "", value: [1] }], [1]],
  ["move", { a: { x: 1 }, b: {} }, [{ op: "move", from: "/a/x", path: "/b/y" }], { a: {}, b: { y: 1 } }],
  ["move in an array", [1, 2, 3], [{ op: "move", from: "/0", path: "/2" }], [2, 3, 1]],
  ["copy", { a: { x: 1 } }, [{ op: "copy", from: "/a", path: "/b" }], { a: { x: 1 }, b: { x: 1 } }],
  [
    "test with escapes",
    { "a/b": 1, "m~n": 2 },
    [
      { op: "test", path: "/a~1b", value: 1 },
      { op: "test", path: "/m~0n", value: 2 },
    ],
    { "a/b": 1, "m~n": 2 },
  ],
  ["empty name", { "": 1 }, [{ op: "replace", path: "/", value: 2 }], { "": 2 }],
])("JSON patch: %s", (_name, target, patch, expected) => {
  expect(applyJsonPatch(deepFreeze(target) as JsonValue, patch)).toEqual(expected);
});

test.each<[JsonValue, JsonValue, RegExp, string]>([
  [{ a: 1 }, [{ op: "test", path: "/a", value: 2 }], /testing value \/a failed/, "API_INVALID"],
  [{ a: 1 }, [{ op: "remove", path: "/b" }], /remove "\/b": the path does not exist/, "API_INVALID"],
  [{ a: [] }, [{ op: "replace", path: "/a/0", value: 1 }], /does not exist/, "API_INVALID"],
  [{ a: 1 }, [{ op: "add", path: "/b/c", value: 1 }], /does not exist/, "API_INVALID"],
  [{ a: [1] }, [{ op: "add", path: "/a/2", value: 1 }], /does not exist/, "API_INVALID"],
  [{ a: [1] }, [{ op: "add", path: "/a/01", value: 1 }], /does not exist/, "API_INVALID"],
  [{ a: { b: 1 } }, [{ op: "move", from: "/a", path: "/a/b" }], /into itself/, "API_INVALID"],
  [{}, [{ op: "remove", path: "" }], /does not exist/, "API_INVALID"],
  [{}, { op: "add" }, /not an array/, "API_BAD_REQUEST"],
  [{}, [{ op: "spam", path: "/a" }], /unknown op "spam"/, "API_INVALID"],
  [{}, [{ op: "add", value: 1 }], /no "path"/, "API_BAD_REQUEST"],
  [{}, [{ op: "add", path: "a", value: 1 }], /does not begin with/, "API_BAD_REQUEST"],
])("JSON patch rejects: %j with %j", (target, patch, message, code) => {
  expect(() => applyJsonPatch(target, patch)).toThrow(message);
  expect(() => applyJsonPatch(target, patch)).toThrow(expect.objectContaining({ code }));
});

test("a JSON patch has limits for the number of operations and the size of copies", () => {
  const operation = { op: "add", path: "/a", value: 1 };
  expect(applyJsonPatch({}, new Array(10_000).fill(operation))).toEqual({ a: 1 });
  expect(() => applyJsonPatch({}, new Array(10_001).fill(operation))).toThrow(
    /maximum operations in a JSON patch is 10000/,
  );
  const doubling = new Array(60).fill({ op: "copy", from: "/list", path: "/list/-" });
  expect(() => applyJsonPatch({ list: ["x".repeat(1_000)] }, doubling)).toThrow(/copies too much/);
});

test("a JSON patch throws nothing but an OperatorError", () => {
  const operation = fc.record(
    {
      op: fc.constantFrom("add", "remove", "replace", "test", "move", "copy", "x"),
      path: fc.constantFrom("", "/", "/a", "/a/0", "/a/-", "/b/a", "/__proto__", "~"),
      from: fc.constantFrom("", "/a", "/b", "/a/0"),
      value: anyJson,
    },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(anyJson, fc.array(operation, { maxLength: 5 }), (target, patch) => {
      const before = JSON.stringify(target);
      try {
        applyJsonPatch(target, patch);
      } catch (error) {
        expect(isOperatorError(error)).toBe(true);
      }
      expect(JSON.stringify(target)).toBe(before);
    }),
  );
});
