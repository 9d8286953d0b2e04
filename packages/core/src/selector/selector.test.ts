import fc from "fast-check";
import { expect, test } from "vitest";
import { isOperatorError } from "../errors/index.js";
import { labelSelectorFrom, parseFieldSelector, parseLabelSelector } from "./index.js";

test.each<[string, Record<string, string>, boolean]>([
  ["", {}, true],
  ["x=a,y=b", { x: "a", y: "b" }, true],
  ["x=a,y=b", { x: "a" }, false],
  ["x==a", { x: "a" }, true],
  ["x!=a", {}, true],
  ["x!=a", { x: "a" }, false],
  ["x in (a,b)", { x: "b" }, true],
  ["x in (a,b)", {}, false],
  ["x notin (a,b)", {}, true],
  ["x notin (a,b)", { x: "a" }, false],
  ["x", { x: "" }, true],
  ["!x", { x: "" }, false],
  ["! x", {}, true],
  ["x>1", { x: "2" }, true],
  ["x<1", { x: "2" }, false],
  ["x>1", { x: "two" }, false],
  ["x=", { x: "" }, true],
  ["x in ()", { x: "" }, true],
  ["x in (,a)", { x: "" }, true],
  ["in in (in,notin)", { in: "notin" }, true],
  ["example.com/x = a", { "example.com/x": "a" }, true],
  ["constructor", {}, false],
  ["!__proto__x", {}, false],
])("label selector %j on %j", (text, labels, expected) => {
  if (text === "!__proto__x") return expect(() => parseLabelSelector(text)).toThrow(/name part must consist/);
  expect(parseLabelSelector(text).matches(labels)).toBe(expected);
});

test.each<[string, string]>([
  ["x in a", "unable to parse requirement: found 'a' expected: '('"],
  ["x a", "unable to parse requirement: found 'a', expected: in, notin, =, ==, !=, gt, lt"],
  [",x", "found ',', expected: !, identifier, or 'end of string'"],
  ["x,", "found '', expected: identifier after ','"],
  ["x=a y", "found 'y', expected: ',' or 'end of string'"],
  ["x in (a b)", "unable to parse requirement: found 'b', expected: ',' or ')'"],
  [
    "x>a",
    "unable to parse requirement: values[0]: Invalid value: \"a\": for 'Gt', 'Lt' operators, the value must be an integer",
  ],
  ["a/b/c=d", 'unable to parse requirement: <nil>: Invalid value: "a/b/c": a valid label key must consist of'],
])("label selector %j is rejected with kube-apiserver's message", (text, message) => {
  expect(() => parseLabelSelector(text)).toThrow(message);
});

test("a label selector prints sorted by key, and parses to itself", () => {
  expect(String(parseLabelSelector("z,y notin (b,a),!x,w==1,v>2"))).toBe("v>2,w==1,!x,y notin (a,b),z");
  fc.assert(
    fc.property(fc.stringMatching(/^[a-c=!(), in<>]{0,20}$/), (text) => {
      try {
        const printed = String(parseLabelSelector(text));
        expect(String(parseLabelSelector(printed))).toBe(printed);
      } catch (error) {
        expect(isOperatorError(error)).toBe(true);
      }
    }),
    { numRuns: 500 },
  );
});

test("an empty metav1.LabelSelector selects everything, a missing one nothing", () => {
  expect(labelSelectorFrom({}).matches({ a: "b" })).toBe(true);
  expect(labelSelectorFrom(undefined).matches({ a: "b" })).toBe(false);
  const selector = labelSelectorFrom({
    matchLabels: { app: "web" },
    matchExpressions: [{ key: "tier", operator: "NotIn", values: ["db"] }],
  });
  expect(selector.matches({ app: "web", tier: "front" })).toBe(true);
  expect(selector.matches({ app: "web", tier: "db" })).toBe(false);
  expect(() => labelSelectorFrom({ matchExpressions: [{ key: "a", operator: "Is" }] })).toThrow(
    '"Is" is not a valid label selector operator',
  );
});

test("a field selector compares strings, and a missing field counts as empty", () => {
  const fields: Record<string, string> = { "metadata.name": "a", "status.phase": "Running" };
  const matches = (text: string): boolean => parseFieldSelector(text).matches((field) => fields[field]);
  expect(matches("")).toBe(true);
  expect(matches("metadata.name=a,status.phase==Running")).toBe(true);
  expect(matches("metadata.name!=a")).toBe(false);
  expect(matches("spec.nodeName=")).toBe(true);
  expect(matches("spec.nodeName!=x")).toBe(true);
  expect(parseFieldSelector("a=b\\,c\\=d\\\\").requirements).toEqual([{ field: "a", operator: "=", value: "b,c=d\\" }]);
  expect(String(parseFieldSelector("a=b\\,c"))).toBe("a=b\\,c");
});

test("a malformed field selector is rejected with kube-apiserver's message", () => {
  expect(() => parseFieldSelector("a=b,c")).toThrow("invalid selector: 'a=b,c'; can't understand 'c'");
  expect(() => parseFieldSelector("a=b=c")).toThrow("invalid field selector: unescaped character in value: 61");
  expect(() => parseFieldSelector("a=b\\x")).toThrow("invalid field selector: invalid escape sequence: \\x");
});
