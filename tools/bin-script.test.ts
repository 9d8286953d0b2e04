import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { binScript } from "./bin-script.js";
import { gates } from "./check/gates.js";

const root = join(import.meta.dirname, "..");

test.each([...new Set(gates.map(({ command }) => command[0] ?? ""))])("%s is a script that Node can run", (command) => {
  expect(readFileSync(binScript(root, command), "utf8")).toMatch(/^#!.*node/);
});
