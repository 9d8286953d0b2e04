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

test("a pattern matches its sample, and the same random numbers return the same sample", () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...patterns),
      fc.array(fc.double({ min: 0, max: 0.999, noNaN: true }), { minLength: 1 }),
      (pattern, numbers) => {
        const random = () => {
          let next = 0;
          return () => numbers[next++ % numbers.length] ?? 0;
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

test("a pattern that matches no string, or that RE2 rejects, has no sample", () => {
  expect(samplePattern("a^b", Math.random)).toBeUndefined();
  expect(samplePattern("(?=a)", Math.random)).toBeUndefined();
});
