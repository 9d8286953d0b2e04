import fc from "fast-check";
import { expect, test } from "vitest";
import { warningTexts } from "./index.js";

test("several warnings in one header are separated, including those with commas and quotes", () => {
  const header = String.raw`299 - "v1beta1 is deprecated, use v1", 299 kube-apiserver "say \"x\" \\ y" "Sat, 01 Jan 2000 00:00:00 GMT",199 - "misc"`;
  expect(warningTexts(header)).toEqual(["v1beta1 is deprecated, use v1", String.raw`say "x" \ y`]);
});

test("a malformed warning is skipped", () => {
  expect(warningTexts("careful")).toEqual([]);
  expect(warningTexts(`299 - "open`)).toEqual([]);
});

test("every quoted text round-trips", () => {
  fc.assert(
    fc.property(fc.array(fc.string()), (texts) => {
      const header = texts.map((text) => `299 - "${text.replace(/["\\]/g, "\\$&")}"`).join(", ");
      expect(warningTexts(header)).toEqual(texts);
    }),
  );
});
