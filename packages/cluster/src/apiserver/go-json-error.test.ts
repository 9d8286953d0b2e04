import fc from "fast-check";
import { expect, test } from "vitest";
import { goJsonError } from "./go-json-error.js";

test.each([
  ["", "unexpected end of JSON input"],
  ["{", "unexpected end of JSON input"],
  ["nonsense", "invalid character 'o' in literal null (expecting 'u')"],
  ['{"a":}', "invalid character '}' looking for beginning of value"],
  ['{"a":1}{"b":2}', "invalid character '{' after top-level value"],
  ["{a:1}", "invalid character 'a' looking for beginning of object key string"],
  ['{"a" 1}', "invalid character '1' after object key"],
  ['{"a":1 "b"}', "invalid character '\"' after object key:value pair"],
  ["[1 2]", "invalid character '2' after array element"],
  ["[1,]", "invalid character ']' looking for beginning of value"],
  ['{"a":1,}', "invalid character '}' looking for beginning of object key string"],
  ['"a\nb"', "invalid character '\\n' in string literal"],
  ['"\\x"', "invalid character 'x' in string escape code"],
  ['"\\u12g4"', "invalid character 'g' in \\u hexadecimal character escape"],
  ["-x", "invalid character 'x' in numeric literal"],
  ["01", "invalid character '1' after top-level value"],
  ["1.x", "invalid character 'x' after decimal point in numeric literal"],
  ["1ex", "invalid character 'x' in exponent of numeric literal"],
  ["'a'", "invalid character '\\'' looking for beginning of value"],
])("%j is told as Go tells it", (text, expected) => {
  expect(goJsonError(text)).toBe(expected);
});

test("whatever JSON.parse takes has no mistake, and whatever it refuses has one", () => {
  const text = fc.oneof(
    fc.json(),
    fc.string(),
    fc.tuple(fc.json(), fc.nat(), fc.string({ maxLength: 2 })).map(([json, at, more]) => {
      const cut = at % (json.length + 1);
      return json.slice(0, cut) + more + json.slice(cut + 1);
    }),
  );
  fc.assert(
    fc.property(text, (given) => {
      let isJson = true;
      try {
        JSON.parse(given);
      } catch {
        isJson = false;
      }
      expect(goJsonError(given) === undefined).toBe(isJson);
    }),
    { numRuns: 2_000 },
  );
});
