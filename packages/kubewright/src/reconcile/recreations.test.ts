import { FakeClock } from "@kubewright/core/clock";
import fc from "fast-check";
import { expect, test } from "vitest";
import { Recreations } from "./recreations.js";

test("however often a child is deleted at once, it is created at most 25 times an hour", () => {
  const clock = new FakeClock();
  const recreations = new Recreations(clock);
  const endMs = clock.monotonic() + 3_600_000;
  let created = 0;
  while (clock.monotonic() < endMs) {
    const waitMs = recreations.waitMs("child");
    if (waitMs > 0) {
      clock.advance(waitMs);
      continue;
    }
    recreations.created("child");
    created += 1;
    clock.advance(1);
  }
  expect(created).toBeLessThanOrEqual(25);
});

test("a child that lives for more than 10 s beyond its delay is created without delay", () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 20 }), (shortLives) => {
      const clock = new FakeClock();
      const recreations = new Recreations(clock);
      for (let life = 0; life <= shortLives; life++) {
        clock.advance(recreations.waitMs("child"));
        recreations.created("child");
      }
      clock.advance(310_000);
      expect(recreations.waitMs("child")).toBe(0);
      recreations.created("child");
      expect(recreations.waitMs("child")).toBe(0);
      expect(recreations.waitMs("other")).toBe(0);
    }),
  );
});
