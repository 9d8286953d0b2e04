import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "..", "..");
const pages = [
  ...["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md"],
  ...readdirSync(join(root, "docs"), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".md"))
    .map((file) => join("docs", file)),
];

test.each(pages)("every link of %s to a file resolves", (page) => {
  const text = readFileSync(join(root, page), "utf8");
  const targets = [...text.matchAll(/\]\((?!https?:|#)([^)#]+)[^)]*\)/g)].map(([, path]) => path ?? "");
  expect(targets.filter((path) => !existsSync(join(root, dirname(page), path)))).toEqual([]);
});
