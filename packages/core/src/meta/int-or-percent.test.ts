import { expect, test } from "vitest";
import { resolveIntOrPercent } from "./index.js";

test("a percentage is scaled by the total and rounded up or down, a number is returned as is", () => {
  expect(resolveIntOrPercent("25%", 10, "up")).toBe(3);
  expect(resolveIntOrPercent("25%", 10, "down")).toBe(2);
  expect(resolveIntOrPercent("100%", 7, "down")).toBe(7);
  expect(resolveIntOrPercent(4, 10, "up")).toBe(4);
});

test("a string that is not a percentage is rejected", () => {
  for (const text of ["25", "%", "-5%", "2.5%", ""])
    expect(() => resolveIntOrPercent(text, 10, "up")).toThrow("not a percentage");
});
