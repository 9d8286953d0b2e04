import { expect, test } from "vitest";
import { JsonTexts } from "./json-texts.js";

test("the string of an object is its JSON, also after more strings than are kept", () => {
  const texts = new JsonTexts();
  const first = Object.freeze({ kind: "First" });
  expect(texts.of(first)).toBe('{"kind":"First"}');
  for (let index = 0; index < 40; index++) {
    const large = Object.freeze({ index, text: "x".repeat(1024 * 1024) });
    expect(texts.of(large).length).toBeGreaterThan(1024 * 1024);
  }
  expect(texts.of(first)).toBe('{"kind":"First"}');
  const open = { kind: "Open" };
  texts.of(open);
  open.kind = "Changed";
  expect(texts.of(open)).toBe('{"kind":"Changed"}');
});
