import fc from "fast-check";
import { expect, test } from "vitest";
import type { JsonValue } from "../json/index.js";
import { JsonPathError, parseJsonPath } from "./index.js";

const document: JsonValue = {
  metadata: { name: "web", annotations: { "example.com/x": "1", "a.b": "2" } },
  spec: { replicas: 3, containers: [{ name: "a", port: 80 }, { name: "b", port: 81 }, { name: "c" }] },
  status: {
    conditions: [
      { type: "Ready", status: "True" },
      { type: "Synced", status: "False" },
    ],
  },
};

test.each<[string, JsonValue[]]>([
  [".spec.replicas", [3]],
  ["{.spec.replicas}", [3]],
  ["$.spec.replicas", [3]],
  ["spec.replicas", [3]],
  [".metadata.annotations.example\\.com/x", ["1"]],
  [".metadata.annotations['a.b']", []],
  [".metadata.annotations['a\\.b']", ["2"]],
  [".metadata['name','missing']", ["web"]],
  [".spec.containers[0].name", ["a"]],
  [".spec.containers[-1].name", ["c"]],
  [".spec.containers[0:2].name", ["a", "b"]],
  [".spec.containers[1:].name", ["b", "c"]],
  [".spec.containers[::2].name", ["a", "c"]],
  [".spec.containers[0,2].name", ["a", "c"]],
  [".spec.containers[*].port", [80, 81]],
  ['.status.conditions[?(@.type=="Ready")].status', ["True"]],
  [".status.conditions[?(@.type=='Synced')].status", ["False"]],
  [".spec.containers[?(@.port>80)].name", ["b"]],
  [".spec.containers[?(@.port)].name", ["a", "b"]],
  [".spec.containers[?(@.name!='a')].name", ["b", "c"]],
  ["..port", [80, 81]],
  [".spec..name", ["a", "b", "c"]],
  [".metadata.*", ["web", { "example.com/x": "1", "a.b": "2" }]],
  [".missing.deeper[0]", []],
  [".constructor", []],
  [".metadata.__proto__", []],
  [".", [document]],
])("%s", (path, expected) => {
  expect(parseJsonPath(path).evaluate(document)).toEqual(expected);
});

test.each([
  "{.a",
  ".a[",
  ".a[x]",
  ".a[?(@.b",
  ".a[?(b==1)]",
  ".a[?(@.b==c)]",
  ".a..",
  ".a b",
  ".a[0:1:0]",
  "...a",
  ".a['b",
])("%s is rejected", (path) => {
  expect(() => parseJsonPath(path)).toThrow(JsonPathError);
});

test("a path throws nothing but a JsonPathError", () => {
  const pieces = fc.array(
    fc.constantFrom(
      ".",
      "..",
      "[",
      "]",
      "*",
      "a",
      "b",
      "'",
      '"',
      "?(",
      ")",
      "@",
      "==",
      "1",
      "-",
      ":",
      ",",
      "\\",
      "{",
      "}",
      "$",
      " ",
    ),
    { maxLength: 14 },
  );
  fc.assert(
    fc.property(
      fc.oneof(
        pieces.map((parts) => parts.join("")),
        fc.string(),
      ),
      (path) => {
        try {
          expect(Array.isArray(parseJsonPath(path).evaluate(document))).toBe(true);
        } catch (error) {
          expect(error).toBeInstanceOf(JsonPathError);
        }
      },
    ),
    { numRuns: 1_000 },
  );
});

test("the number of values is limited", () => {
  const wide = { a: new Array(400).fill({ a: new Array(400).fill(1) }) };
  expect(() => parseJsonPath(".a[*].a[*]").evaluate(wide)).toThrow(/more than 100000 values/);
});
