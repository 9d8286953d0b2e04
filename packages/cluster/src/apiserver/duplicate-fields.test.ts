import fc from "fast-check";
import { expect, test } from "vitest";
import { duplicateFields } from "./duplicate-fields.js";

test("every duplicate of a field is reported by its path", () => {
  const text = '{"a":1,"b":{"c":"x","c" : "y","d":[{"e":1},{"e":1,"e":2}]},"a":[],"a":"a"}';
  expect(duplicateFields(text)).toEqual(["b.c", "b.d[1].e", "a", "a"]);
});

test("keys are compared after unescaping", () => {
  expect(duplicateFields('{"a":1,"\\u0061":2,"q\\"":"\\\\","q\\"":"{\\"x\\":1,\\"x\\":2}"}')).toEqual(["a", 'q"']);
});

test("output of JSON.stringify has no duplicates, whatever its strings contain", () => {
  fc.assert(fc.property(fc.jsonValue(), (value) => duplicateFields(JSON.stringify(value)).length === 0));
});

test("a duplicate of any field of any object is found", () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue(), { minKeys: 1 }), (object) => {
      const [key = ""] = Object.keys(object);
      const text = JSON.stringify(object);
      const doubled = `${text.slice(0, -1)},${JSON.stringify(key)}:null}`;
      expect(duplicateFields(doubled)).toEqual([key]);
    }),
  );
});
