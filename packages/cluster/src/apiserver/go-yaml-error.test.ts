import fc from "fast-check";
import { expect, test } from "vitest";
import { parseAllDocuments } from "yaml";
import { checkGoYaml } from "./go-yaml-error.js";

const whyOf = (text: string): string | number => {
  const checked = checkGoYaml(text);
  return "why" in checked ? checked.why : checked.end;
};

test.each([
  ["a: [", "line 1: did not find expected node content"],
  ["a: [1, 2}", "did not find expected ',' or ']'"],
  ["a: b: c", "mapping values are not allowed in this context"],
  ["a:\n\tb: 1", "line 2: found character that cannot start any token"],
  ["a:\n  b: 1\n c: 2", "line 2: did not find expected key"],
  ["- a\nb: 1", "line 1: did not find expected '-' indicator"],
  ["a: 1\nb", "line 3: could not find expected ':'"],
  ['a: "x', "found unexpected end of stream"],
  ["a: *x", "unknown anchor 'x' referenced"],
  ["%x\na: 1", "found unknown directive name"],
  ["a: \u0001", "control characters are not allowed"],
  ["!x!y a", "found undefined tag handle"],
])("of %j Go says: %s", (text, why) => {
  expect(whyOf(text)).toBe(why);
});

test.each([
  ["a: 1\n---\nb: [", 5],
  ["{}x", 2],
  ["[]: x", 2],
  ["", 0],
  ["--- |\n x\n...\n[", 9],
])("the first document of %j ends after %i characters", (text, end) => {
  expect(whyOf(text)).toBe(end);
});

test("what other readers write, this one reads", () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 4 }), fc.boolean(), (value, isIndented) => {
      const text = JSON.stringify(value, null, isIndented ? 2 : 0).replace(/[^\x20-\x7e\n]/g, "?");
      expect(parseAllDocuments(text)).toHaveLength(1);
      expect(whyOf(text)).toBe(text.length);
    }),
  );
});

test("whatever is sent, it ends; and deep nesting takes no stack", () => {
  const piece = fc.constantFrom(..."abc:-?[]{},#&*!|>'\"%@`\\ \t\r\n017.~<", "- ", ": ", "\n  ", "---\n", "...");
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
      expect(["string", "number"]).toContain(typeof whyOf(pieces.join("")));
    }),
    { numRuns: 200 },
  );
  expect(whyOf("[".repeat(9_000))).toBe("line 1: did not find expected node content");
  expect(whyOf("[".repeat(20_000))).toBe("exceeded max depth of 10000");
  expect(whyOf(`a: ${"- ".repeat(20_000)}`)).toBe("block sequence entries are not allowed in this context");
});
