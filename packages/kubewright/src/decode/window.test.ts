import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Window } from "./window.js";

/** Strings that make the end of a value hard to find. */
const hardString = fc.string({
  unit: fc.constantFrom('"', "\\", "{", "}", "[", "]", ",", ":", "a", "é", "\u{1f600}", "\u0000", " "),
  maxLength: 90,
});
const nested = fc.letrec((tie) => ({
  value: fc.oneof({ depthSize: "small" }, hardString, fc.integer(), fc.constant(null), tie("list"), tie("object")),
  list: fc.array(tie("value"), { maxLength: 6 }),
  object: fc.dictionary(hardString, tie("value"), { maxKeys: 6 }),
}));
const listOrObject = fc.oneof(nested["list"] as fc.Arbitrary<unknown>, nested["object"] as fc.Arbitrary<unknown>);

describe("the window", () => {
  it("finds the end of any array or object, at any offset and with any following bytes", () => {
    fc.assert(
      fc.property(
        fc.nat(200),
        fc.array(listOrObject, { minLength: 1, maxLength: 4 }),
        hardString,
        (skip, values, tail) => {
          const before = Buffer.alloc(skip, "[");
          const texts = values.map((value) => Buffer.from(JSON.stringify(value)));
          const window = new Window(Buffer.concat([before, ...texts, Buffer.from(tail)]));
          let at = skip;
          for (const text of texts) {
            const { end, isAscii } = window.endOf(at);
            expect(end - at).toBe(text.length);
            if (isAscii) expect(text.every((byte) => byte < 0x80)).toBe(true);
            at = end;
          }
        },
      ),
      { numRuns: 500 },
    );
  });

  it("reports each number of 16 or more digits, at any offset", () => {
    fc.assert(
      fc.property(
        fc.nat(200),
        hardString,
        fc.bigInt({ min: 10n ** 15n, max: 10n ** 30n }),
        fc.boolean(),
        (skip, before, number, isNegative) => {
          const value = `{${JSON.stringify(before)}:[${isNegative ? "-" : ""}${number}]}`;
          const window = new Window(Buffer.from(" ".repeat(skip) + value));
          expect(window.endOf(skip).hasLongNumber).toBe(true);
        },
      ),
    );
  });

  it("reports no digits in strings, and no number of less than eight digits", () => {
    const value = {
      "1234567890123456": ["0".repeat(200), `\\"${"7".repeat(64)}`, 1234567, -1234567, 1.234567e-99, true],
    };
    for (let skip = 0; skip < 64; skip++) {
      // The scanner reads whole blocks: digits behind the value, of an earlier one, count too.
      const window = new Window(Buffer.from(`${" ".repeat(skip)}${JSON.stringify(value)}${" ".repeat(64)}`));
      expect(window.endOf(skip)).toMatchObject({ hasLongNumber: false });
    }
  });

  it("finds no end of a truncated value", () => {
    fc.assert(
      fc.property(listOrObject, fc.nat(), (value, cut) => {
        const text = Buffer.from(JSON.stringify(value));
        expect(new Window(text.subarray(0, cut % text.length)).endOf(0).end).toBe(-1);
      }),
    );
  });

  it("ignores bytes that an earlier value left in its memory", () => {
    expect(new Window(Buffer.from(`[${"1,".repeat(99)}1]`)).endOf(0).end).toBe(201);
    expect(new Window(Buffer.from("[1,")).endOf(0).end).toBe(-1);
    expect(new Window(Buffer.from('["}}}}}]')).endOf(0).end).toBe(-1);
  });

  it("reads bytes longer than its memory, value by value", () => {
    const item = JSON.stringify({ name: "x".repeat(1_000), list: [{ a: "}" }] });
    const bytes = Buffer.from(item.repeat(200));
    const window = new Window(bytes);
    for (let at = 0; at < bytes.length; at += item.length) expect(window.endOf(at).end).toBe(at + item.length);
  });

  it("finds no end of a value longer than its memory", () => {
    expect(new Window(Buffer.from(JSON.stringify(["x".repeat(70_000)]))).endOf(0).end).toBe(-1);
  });

  it("keeps two alternating readers apart", () => {
    const short = new Window(Buffer.from('{"a":1} '));
    const long = new Window(Buffer.from('{"a":[1,2,3],"b":"}"}'));
    for (let turn = 0; turn < 3; turn++) {
      expect(short.endOf(0).end).toBe(7);
      expect(long.endOf(0).end).toBe(21);
    }
  });
});
