import fc from "fast-check";
import { expect, test } from "vitest";
import { duplicateFields } from "./duplicate-fields.js";

test("fields that stand twice are named by their path, each time", () => {
  const text = '{"a":1,"b":{"c":"x","c" : "y","d":[{"e":1},{"e":1,"e":2}]},"a":[],"a":"a"}';
  expect(duplicateFields(text)).toEqual(["b.c", "b.d[1].e", "a", "a"]);
});

test("keys are compared as they are meant, not as they are written", () => {
  expect(duplicateFields('{"a":1,"\\u0061":2,"q\\"":"\\\\","q\\"":"{\\"x\\":1,\\"x\\":2}"}')).toEqual(["a", 'q"']);
});

test("what JSON.stringify writes has no duplicates, whatever its texts hold", () => {
  fc.assert(fc.property(fc.jsonValue(), (value) => duplicateFields(JSON.stringify(value)).length === 0));
});

test("a field doubled at any place of any object is found", () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue(), { minKeys: 1 }), (object) => {
      const [key = ""] = Object.keys(object);
      const text = JSON.stringify(object);
      const doubled = `${text.slice(0, -1)},${JSON.stringify(key)}:null}`;
      expect(duplicateFields(doubled)).toEqual([key]);
    }),
  );
});
