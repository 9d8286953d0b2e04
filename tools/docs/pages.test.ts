import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join, posix } from "node:path";
import { expect, test } from "vitest";
import { partsOf } from "../site/contents.js";
import { linksOf } from "../site/markdown-links.js";

const root = join(import.meta.dirname, "..", "..");
const read = (page: string): string => readFileSync(join(root, page), "utf8");
const docs = readdirSync(join(root, "docs"), { recursive: true, encoding: "utf8" })
  .map((file) => posix.join("docs", ...file.split(/[\\/]/)))
  .filter((file) => file.endsWith(".md"));
const guides = docs.filter((page) =>
  /^docs\/(guides|migrating)\/|^docs\/(getting-started|how-it-works)\.md/.test(page),
);

/** The documents that a document links to; a link to a folder leads to its README. */
function linkedFrom(page: string): string[] {
  return linksOf(read(page))
    .filter((target) => !/^[a-z]+:|^#/.test(target))
    .map((target) => posix.join(posix.dirname(page), target.split("#")[0] ?? "").replace(/\/$/, ""))
    .map((path) =>
      existsSync(join(root, path)) && statSync(join(root, path)).isDirectory() ? `${path}/README.md` : path,
    )
    .filter((path) => path.endsWith(".md") && existsSync(join(root, path)));
}

test("every page is reachable from the README", () => {
  const reached = new Set(["README.md"]);
  for (const page of reached) for (const next of linkedFrom(page)) reached.add(next);
  expect(docs.filter((page) => !reached.has(page))).toEqual([]);
});

test("the contents list every guide and reference page once", () => {
  const listed = partsOf(read("docs/README.md")).flatMap(({ pages }) => pages.map(({ path }) => path));
  const expected = docs.filter((page) => guides.includes(page) || page.startsWith("docs/reference/"));
  expect(expected.filter((page) => listed.filter((one) => one === page).length !== 1)).toEqual([]);
  expect(listed.filter((page) => !existsSync(join(root, page)))).toEqual([]);
});

test.each(guides)("%s begins with what the reader can do after it, and says what goes wrong", (page) => {
  const text = read(page);
  expect(text).toMatch(/^# [^\n]+\n\nAfter this page you /);
  expect(text).toMatch(/^## .*(?:goes|is) wrong/m);
});
