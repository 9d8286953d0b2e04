import { expect, test } from "vitest";
import { unsupportedReason } from "./platform.js";
import { checkRequirements } from "./start-control-plane.js";

test("a real control plane on Windows is an error that names the alternatives", () => {
  expect(unsupportedReason("linux")).toBeUndefined();
  expect(unsupportedReason("darwin")).toBeUndefined();
  expect(() => checkRequirements({}, "win32")).toThrow(
    "Cannot start a real control plane: it is not supported on Windows; use the embedded cluster, set USE_EXISTING_CLUSTER=true, or run in WSL",
  );
});
