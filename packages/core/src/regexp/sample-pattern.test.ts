import fc from "fast-check";
import { expect, test } from "vitest";
import { compilePattern, sampleText } from "./index.js";

const patterns = [
  "^[a-z0-9]([-a-z0-9]*[a-z0-9])?$",
  "^(\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|([eE](\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))))?$",
  "^([0-9]+(\\.[0-9]+)?(ms|s|m|h))+$",
  "^arn:aws:s3:::.{3}/\\d{2}$",
  "é|ü",
  "(?i)^on$",
];

test("a text that is made for a pattern is matched by it, and the same chance gives the same text", () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...patterns),
      fc.array(fc.double({ min: 0, max: 0.999, noNaN: true }), { minLength: 1 }),
      (pattern, chances) => {
        const random = () => {
          let next = 0;
          return () => chances[next++ % chances.length] ?? 0;
        };
        const text = sampleText(pattern, random());
        const compiled = compilePattern(pattern);
        expect(text).toBeDefined();
        expect(compiled.kind === "pattern" && compiled.matches(text ?? "")).toBe(true);
        expect(sampleText(pattern, random())).toBe(text);
      },
    ),
  );
});

test("a pattern that nothing matches, or that is refused, gives no text", () => {
  expect(sampleText("a^b", Math.random)).toBeUndefined();
  expect(sampleText("(?=a)", Math.random)).toBeUndefined();
});
