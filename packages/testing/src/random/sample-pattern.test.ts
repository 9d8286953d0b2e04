import { compilePattern } from "@kubewright/core/regexp";
import fc from "fast-check";
import { expect, test } from "vitest";
import { samplePattern } from "./sample-pattern.js";

const patterns = [
  "^[a-z0-9]([-a-z0-9]*[a-z0-9])?$",
  "^(\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|([eE](\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))))?$",
  "^([0-9]+(\\.[0-9]+)?(ms|s|m|h))+$",
  "^arn:aws:s3:::.{3}/\\d{2}$",
  "é|ü",
  "(?i)^on$",
];

test("a pattern matches the string that is made for it, and the same chance gives the same string", () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...patterns),
      fc.array(fc.double({ min: 0, max: 0.999, noNaN: true }), { minLength: 1 }),
      (pattern, chances) => {
        const random = () => {
          let next = 0;
          return () => chances[next++ % chances.length] ?? 0;
        };
        const text = samplePattern(pattern, random());
        const compiled = compilePattern(pattern);
        expect(text).toBeDefined();
        expect(compiled.kind === "pattern" && compiled.matches(text ?? "")).toBe(true);
        expect(samplePattern(pattern, random())).toBe(text);
      },
    ),
  );
});

test("a pattern that nothing matches, or that is rejected, gives no string", () => {
  expect(samplePattern("a^b", Math.random)).toBeUndefined();
  expect(samplePattern("(?=a)", Math.random)).toBeUndefined();
});
