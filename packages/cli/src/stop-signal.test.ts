import { expect, test } from "vitest";
import { stopSignals } from "./stop-signal.js";

test("a closed terminal, Ctrl-C and Ctrl-Break stop a cluster cleanly on every platform", () => {
  expect(stopSignals("linux")).toEqual(["SIGINT", "SIGTERM", "SIGHUP"]);
  expect(stopSignals("darwin")).toEqual(stopSignals("linux"));
  expect(stopSignals("win32")).toEqual(["SIGINT", "SIGBREAK", "SIGHUP"]);
});
