import fc from "fast-check";
import { expect, test } from "vitest";
import { readYaml } from "./read-yaml.js";

test("scalars follow YAML 1.1, as far as JSON can represent them", () => {
  expect(readYaml("[yes, Off, y, tRue, ~, 017, 0o17, 0b11, 1_000, 0x1f, 1e3, 2001-01-01, 12:30]").value).toEqual([
    ...[true, false, true, "tRue", null, 15, 15, 3, 1000, 31, 1000, "2001-01-01", "12:30"],
  ]);
  expect(readYaml("['yes', \"017\"]").value).toEqual(["yes", "017"]);
});

test("only the first of several documents is read", () => {
  expect(readYaml("a: 1\n---\nb: [").value).toEqual({ a: 1 });
  expect(readYaml("a: |\n  x\n").value).toEqual({ a: "x\n" });
});

test("a duplicate key is reported with its line, and the last value counts", () => {
  expect(readYaml("a: 1\nb:\n  c: 2\n  c: 3\n")).toEqual({
    value: { a: 1, b: { c: 3 } },
    duplicates: ['line 4: key "c" already set in map'],
  });
});

test("malformed YAML, unknown aliases and excessive aliasing throw an error with a message", () => {
  const bomb = ["a: &a [x, x, x, x, x, x, x, x, x]"];
  for (const [one, next] of ["ab", "bc", "cd", "de"])
    bomb.push(`${next}: &${next} [${Array.from({ length: 9 }, () => `*${one}`).join(", ")}]`);
  for (const text of ["a: [", "a: *b", "a: .inf", bomb.join("\n"), "a: b: c"])
    expect(() => readYaml(text)).toThrow(/./);
});

test("any string is read, or throws an error with a message", () => {
  const piece = fc.constantFrom(..."abc:-?[]{},#&*!|>'\"%@`\\ \t\n017.~<", "- ", ": ", "\n  ", "---\n", "...", "<<: ");
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
      try {
        expect(readYaml(pieces.join(""))).toBeTypeOf("object");
      } catch (error) {
        expect(error).toBeInstanceOf(Error);
      }
    }),
  );
});
