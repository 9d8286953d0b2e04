import fc from "fast-check";
import { expect, test } from "vitest";
import { deepEqual, type JsonValue, normaliseJson, parseJson, setOwn, stringifyJson } from "./index.js";

const int64 = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n });

/** Integers of every length, and those around 2^53 and the limits of int64. */
const integer = fc.oneof(
  int64,
  fc.bigInt({ min: 2n ** 53n - 3n, max: 2n ** 53n + 3n }),
  fc.bigInt({ min: 2n ** 63n - 3n, max: 2n ** 63n - 1n }),
  fc.tuple(fc.bigInt({ min: 0n, max: 63n }), int64).map(([shift, value]) => value >> shift),
);

/** Strings that look like integers, escapes, delimiters or keys of the prototype. */
const string = fc.oneof(
  fc.string({ unit: "grapheme" }),
  integer.map((value) => `a: ${value}, [${value}]`),
  fc.constantFrom("__proto__", '\\"', '"9007199254740993"', "\\", "\u2028", "constructor"),
);

const { value: anyValue } = fc.letrec<{ value: JsonValue }>((tie) => ({
  value: fc.oneof(
    { depthSize: "medium" },
    integer.map((value) => normaliseJson(value)),
    string,
    fc.double({ noDefaultInfinity: true, noNaN: true }).map((value) => normaliseJson(value)),
    fc.constantFrom(null, true, false),
    fc.array(tie("value"), { maxLength: 4 }),
    fc.array(fc.tuple(string, tie("value")), { maxLength: 4 }).map((entries) => {
      const object: Record<string, JsonValue> = {};
      for (const [key, value] of entries) setOwn(object, key, value);
      return object;
    }),
  ),
}));

test("every int64 survives a round trip, as a number where it is a safe integer", () => {
  fc.assert(
    fc.property(integer, (value) => {
      const parsed = parseJson(String(value));
      expect(String(parsed)).toBe(String(value));
      expect(typeof parsed).toBe(Number.isSafeInteger(Number(value)) ? "number" : "bigint");
      expect(stringifyJson({ a: [parsed] })).toBe(`{"a":[${value}]}`);
      expect(parseJson(`{"a" : [ ${value} ]}`)).toEqual({ a: [parsed] });
      expect(normaliseJson(value)).toBe(parsed);
    }),
  );
});

test("every JSON value survives a round trip, compact and indented", () => {
  fc.assert(
    fc.property(anyValue, fc.constantFrom(0, 2), (value, indent) => {
      const parsed = parseJson(stringifyJson(value, indent));
      expect(deepEqual(parsed, value)).toBe(true);
      expect(stringifyJson(parsed)).toBe(stringifyJson(value));
      expect(deepEqual(normaliseJson(value), value)).toBe(true);
    }),
  );
});

test("parseJson and stringifyJson are JSON.parse and JSON.stringify where no integer is beyond 2^53", () => {
  fc.assert(
    fc.property(fc.jsonValue({ depthSize: "medium" }), fc.constantFrom(0, 2), (value, indent) => {
      const text = JSON.stringify(value, undefined, indent);
      fc.pre(!/\d{16}/.test(text));
      expect(parseJson(text)).toEqual(JSON.parse(text));
      expect(stringifyJson(value, indent)).toBe(text);
      // The slow writer agrees with the fast one in all but the bigint.
      expect(stringifyJson([value, 2n ** 60n], indent)).toBe(
        JSON.stringify([value, "BIG"], undefined, indent).replace('"BIG"', String(2n ** 60n)),
      );
    }),
  );
});

test("an integer is found at every offset of the text", () => {
  for (let offset = 0; offset < 40; offset++) {
    expect(parseJson(`${" ".repeat(offset)}-9007199254740993`)).toBe(-9007199254740993n);
    expect(parseJson(`["${"1".repeat(offset)}",9007199254740993]`)).toEqual(["1".repeat(offset), 9007199254740993n]);
  }
});

test("a literal with an exponent or a fraction, or beyond int64, is a double, as in Go", () => {
  for (const literal of [
    "1e20",
    "1e3",
    "1.0",
    "9007199254740993.0",
    "0.9007199254740993",
    "1e-9007199254740993",
    "9007199254740993e0",
    "9223372036854775808",
    "-9223372036854775809",
    "12345678901234567890123",
  ]) {
    expect(parseJson(`{"a":${literal},"b":9007199254740993}`)).toEqual({
      a: JSON.parse(literal),
      b: 9007199254740993n,
    });
    expect(parseJson(literal)).toBe(JSON.parse(literal));
  }
});

test("what is not JSON throws the SyntaxError of JSON.parse", () => {
  for (const text of ["", "[9007199254740993", "09007199254740993", "{9007199254740993:1}", "-", "9007199254740993n"]) {
    expect(() => parseJson(text)).toThrow(SyntaxError);
  }
});

test("integers are kept at any depth", () => {
  const depth = 20_000;
  let value = parseJson(`${"[".repeat(depth)}9007199254740993${"]".repeat(depth)}`);
  for (let level = 0; level < depth; level++) value = (value as readonly JsonValue[])[0] ?? null;
  expect(value).toBe(9007199254740993n);
});

test("of a duplicate key the last value counts, and __proto__ is an ordinary key", () => {
  const parsed = parseJson('{"a":9007199254740993,"__proto__":{"b":1},"a":9007199254740995}');
  expect(Object.entries(parsed ?? {})).toEqual([
    ["a", 9007199254740995n],
    ["__proto__", { b: 1 }],
  ]);
});

test("a number beyond 2^53 is written, copied and compared by its digits in JSON", () => {
  expect(normaliseJson(2 ** 60)).toBe(1152921504606847000n);
  expect(normaliseJson(5n)).toBe(5);
  expect(normaliseJson(2n ** 64n)).toBe(2 ** 64);
  expect(stringifyJson([2 ** 60, 2n ** 60n])).toBe("[1152921504606847000,1152921504606846976]");
  expect(deepEqual([1e18], [10n ** 18n])).toBe(true);
  expect(deepEqual([10n ** 18n], [1e18])).toBe(true);
  expect(deepEqual([9007199254740993n], [9007199254740992])).toBe(false);
  expect(deepEqual([9007199254740993n], ["9007199254740993"])).toBe(false);
});

test("stringifyJson rejects a cycle and calls toJSON beside a bigint", () => {
  const cycle: Record<string, unknown> = { big: 2n ** 60n };
  expect(stringifyJson({ ...cycle, at: new Date(0), none: undefined })).toBe(
    '{"big":1152921504606846976,"at":"1970-01-01T00:00:00.000Z"}',
  );
  cycle["self"] = cycle;
  expect(() => stringifyJson(cycle)).toThrow(/contains itself/);
});
