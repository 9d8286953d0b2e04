import { expect, test } from "vitest";
import { changedPaths } from "./changed-paths.js";

test("changedPaths lists every path at which two values differ", () => {
  const before = { image: "a", args: ["x"], ports: [{ port: 1 }, { port: 2 }], env: { A: "1" } };
  const after = { image: "a", args: ["x", "y"], ports: [{ port: 1 }, { port: 3 }], env: { B: "1" } };
  expect(changedPaths(before, after, "spec")).toBe("spec.args, spec.ports[1].port, spec.env.A, spec.env.B");
});

test("changedPaths is empty for equal values", () => {
  expect(changedPaths({ a: [1] }, { a: [1] }, "spec")).toBe("");
});
