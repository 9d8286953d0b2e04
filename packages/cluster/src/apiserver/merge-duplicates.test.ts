import fc from "fast-check";
import { expect, test } from "vitest";
import { mergeDuplicates } from "./merge-duplicates.js";

test("two objects under one key are laid over each other, everything else is taken from the last", () => {
  expect(mergeDuplicates('{"a":{"x":1,"y":{"p":1}},"b":[1],"a":{"y":{"q":2}},"b":[2]}')).toEqual({
    a: { x: 1, y: { p: 1, q: 2 } },
    b: [2],
  });
});

test("without duplicates the value is the one that JSON.parse gives", () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.constantFrom(0, 1), (value, space) => {
      const text = JSON.stringify(value, undefined, space);
      expect(mergeDuplicates(text)).toEqual(JSON.parse(text));
    }),
  );
});
