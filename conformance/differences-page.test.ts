import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { differencesPage } from "./differences-page.js";

test("docs/reference/differences.md is up to date (otherwise run conformance/write-differences.ts)", () => {
  const page = readFileSync(new URL("../docs/reference/differences.md", import.meta.url), "utf8");
  expect(page).toBe(differencesPage());
});
