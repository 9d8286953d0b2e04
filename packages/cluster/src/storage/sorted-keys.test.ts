import fc from "fast-check";
import { expect, test } from "vitest";
import { SortedKeys } from "./sorted-keys.js";

test("SortedKeys keeps its keys in order after any sequence of adds and removes", () => {
  const key = fc.stringMatching(/^[a-c]{1,3}$/);
  const steps = fc.array(fc.tuple(fc.constantFrom("add", "add", "add", "remove", "look"), key), { maxLength: 60 });
  fc.assert(
    fc.property(steps, (taken) => {
      const keys = new SortedKeys();
      const there = new Set<string>();
      const look = (): void => {
        const expected = [...there].sort();
        const { from, to } = keys.range("");
        expect(Array.from({ length: to - from }, (_, index) => keys.at(index))).toEqual(expected);
        const b = keys.range("b");
        expect(b.to - b.from).toBe(expected.filter((one) => one.startsWith("b")).length);
      };
      for (const [step, name] of taken) {
        if (step === "add" && !there.has(name)) {
          keys.add(name);
          there.add(name);
        } else if (step === "remove") {
          keys.remove(name);
          there.delete(name);
        } else look();
      }
      look();
    }),
  );
});
