import { expect, test } from "vitest";
import { resolveIntOrPercent } from "./index.js";

test("a percentage is a share of the total, rounded as told, and a number is itself", () => {
  expect(resolveIntOrPercent("25%", 10, "up")).toBe(3);
  expect(resolveIntOrPercent("25%", 10, "down")).toBe(2);
  expect(resolveIntOrPercent("100%", 7, "down")).toBe(7);
  expect(resolveIntOrPercent(4, 10, "up")).toBe(4);
});

test("a text that is no percentage is refused", () => {
  for (const text of ["25", "%", "-5%", "2.5%", ""])
    expect(() => resolveIntOrPercent(text, 10, "up")).toThrow("not a percentage");
});
