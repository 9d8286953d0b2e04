import type { JsonValue } from "@kubewright/core/json";
import fc from "fast-check";
import { expect, test } from "vitest";
import { mayEqual, remembered } from "./remembered-value.js";

test("a value is recognised, and another one is not, whatever their length", () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 3 }), fc.jsonValue({ maxDepth: 3 }), (one, other) => {
      const [kept, keptOther] = [remembered(one as JsonValue), remembered(other as JsonValue)];
      expect(mayEqual(kept, remembered(structuredClone(one) as JsonValue))).toBe(true);
      if (kept !== undefined && keptOther !== undefined)
        expect(mayEqual(kept, keptOther)).toBe(JSON.stringify(sorted(one)) === JSON.stringify(sorted(other)));
    }),
  );
  const long = "x".repeat(100_000);
  expect(mayEqual(remembered(long), remembered(`${long}y`))).toBe(false);
  expect(mayEqual(remembered([{ name: long }]), remembered([{ name: `${long}` }]))).toBe(true);
});

test("what is kept of a value is small, and nothing is kept of one with thousands of members or levels", () => {
  const long = "x".repeat(100_000);
  expect(JSON.stringify(remembered({ [long]: [long, { a: long }] })).length).toBeLessThan(300);
  expect(remembered(Array.from({ length: 5_000 }, (_, index) => index))).toBeUndefined();
  let deep: JsonValue = 1;
  for (let level = 0; level < 100_000; level++) deep = [deep];
  expect(remembered(deep)).toBeUndefined();
  // It may be any of them.
  expect(mayEqual(remembered(deep), remembered("a"))).toBe(true);
});

/** Without the order of fields; zero has no sign in JSON. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  const fields = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return fields.map(([name, field]) => [name, sorted(field)]);
}
