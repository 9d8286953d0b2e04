import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "..", "..");

test("the reference has one paragraph per error code", () => {
  const source = readFileSync(join(root, "packages/core/src/errors/operator-error.ts"), "utf8");
  const [union = ""] = /export type ErrorCode =[^;]+;/.exec(source) ?? [];
  const codes = [...union.matchAll(/"([A-Z_]+)"/g)].map(([, code]) => code);
  const page = readFileSync(join(root, "docs/reference/errors.md"), "utf8");
  const paragraphs = [...page.matchAll(/^### ([A-Z_]+)\n\S/gm)].map(([, code]) => code);
  expect(codes.length).toBeGreaterThan(20);
  expect(paragraphs.toSorted()).toEqual(codes.toSorted());
});
