import { expect, test } from "vitest";
import { matchesSelector } from "./index.js";

test("matchesSelector evaluates matchLabels and matchExpressions; an empty selector matches everything, a missing one nothing", () => {
  const labels = { app: "web", tier: "api" };
  const expression = (operator: string, ...values: string[]) => ({
    matchExpressions: [{ key: "tier", operator, ...(values.length > 0 && { values }) }],
  });
  expect(matchesSelector({ matchLabels: { app: "web" }, ...expression("In", "api", "db") }, labels)).toBe(true);
  expect(matchesSelector({ matchLabels: { app: "db" } }, labels)).toBe(false);
  expect(["NotIn", "In"].map((operator) => matchesSelector(expression(operator, "db"), labels))).toEqual([true, false]);
  expect(["Exists", "DoesNotExist"].map((operator) => matchesSelector(expression(operator), undefined))).toEqual([
    false,
    true,
  ]);
  expect([matchesSelector({}, undefined), matchesSelector(undefined, labels)]).toEqual([true, false]);
  expect(() => matchesSelector(expression("Near", "api"), labels)).toThrow("Near");
});
