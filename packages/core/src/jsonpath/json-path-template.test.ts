import { readFileSync } from "node:fs";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { JsonValue } from "../json/index.js";
import { JsonPathError, parseJsonPathTemplate } from "./index.js";

interface Recorded {
  readonly document: JsonValue;
  readonly cases: readonly (readonly [template: string, output: string | null])[];
}
const recorded: Recorded = JSON.parse(readFileSync(new URL("./template-cases.gen.json", import.meta.url), "utf8"));

test.each(recorded.cases)("the template %j prints what kubectl prints", (template, output) => {
  if (output === null) expect(() => parseJsonPathTemplate(template).format(recorded.document)).toThrow(JsonPathError);
  else expect(parseJsonPathTemplate(template).format(recorded.document)).toBe(output);
});

test("whatever the template, it prints or is refused with an error of its own", () => {
  const pieces = fc.constantFrom(
    "{",
    "}",
    "range ",
    "end",
    ".items",
    "[*]",
    "[?(@.a==1)]",
    '"',
    "'",
    "\\",
    "$",
    "..",
    "text",
    "[0]",
    "{end}",
    "{range .users[*]}",
  );
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 12 }), (parts) => {
      try {
        expect(typeof parseJsonPathTemplate(parts.join("")).format(recorded.document)).toBe("string");
      } catch (error) {
        expect(error).toBeInstanceOf(JsonPathError);
      }
    }),
    { numRuns: 2_000 },
  );
});
