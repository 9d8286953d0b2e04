import fc from "fast-check";
import { expect, test } from "vitest";
import { readYaml } from "./yaml-body.js";

const read = (text: string): unknown => {
  const found = readYaml(text);
  return "why" in found ? found.why : found.value;
};

test("words mean what they mean to Go", () => {
  expect(read("[yes, Off, y, tRue, ~, 017, 0o17, 0b11, 1_000, 0x1f, 1e3, 08, 0.1_0, 2001-01-01, 12:30]")).toEqual([
    ...[true, false, true, "tRue", null, 15, 15, 3, 1000, 31, 1000, 8, 0.1, "2001-01-01", "12:30"],
  ]);
  expect(read("['yes', \"017\", !!binary aGk=]")).toEqual(["yes", "017", "hi"]);
  expect(read("a: [1, -.inf]")).toBe("json: unsupported value: -Inf");
});

test("of several documents the first counts, and a text that ends in a line has no more of it", () => {
  expect(read("a: 1\n---\nb: [")).toEqual({ a: 1 });
  expect(read("a: |\n  x\n  y")).toEqual({ a: "x\ny" });
  expect(read("a: |\n  x\n")).toEqual({ a: "x\n" });
});

test("whatever is sent, it is read or refused", () => {
  const piece = fc.constantFrom(..."abc:-?[]{},#&*!|>'\"%@`\\ \t\n017.~<", "- ", ": ", "\n  ", "---\n", "...", "<<: ");
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
      expect(readYaml(pieces.join(""))).toBeTypeOf("object");
    }),
  );
});
