import { join } from "node:path";
import { expect, test } from "vitest";
import { allInOne, llmsIndex } from "./all-in-one.js";
import { apiModulePage, declarationsIn } from "./api-report.js";
import { deadLinks } from "./check-links.js";
import { partsOf } from "./contents.js";
import { linksOf, mapLinks } from "./markdown-links.js";
import { stagePages } from "./stage-pages.js";
import { TrackedFiles } from "./tracked-files.js";

const root = join(import.meta.dirname, "..", "..");

test("links are mapped, and code is left as it is", () => {
  const markdown = "[a](b.md) `[c](d.md)`\n\n```ts\nconst e = f[0](g);\n```\n\n[h](i.md#j)";
  expect(linksOf(markdown)).toEqual(["b.md", "i.md#j"]);
  expect(mapLinks(markdown, (target) => `/${target}`)).toBe(
    "[a](/b.md) `[c](d.md)`\n\n```ts\nconst e = f[0](g);\n```\n\n[h](/i.md#j)",
  );
});

test("a link to a missing page, a missing heading and a path outside of the site is dead", () => {
  const pages = [
    {
      path: "/index.html",
      html: '<a href="/docs/a.html#one">1</a><a href="/docs/a.html#two">2</a><a href="/b.html">3</a>',
    },
    { path: "/a.html", html: '<h2 id="one">One</h2><a href="https://example.com/x">4</a><a href="./c.html">5</a>' },
  ];
  expect(deadLinks(pages, new Set(["/index.html", "/a.html"]), "/docs/")).toEqual([
    "/index.html: /docs/a.html#two",
    "/index.html: /b.html",
    "/a.html: ./c.html",
  ]);
});

test("an API page has each export with its doc comment, its example and its signature", () => {
  const source =
    "/**\n * Waits.\n *\n * @example\n * await wait(1);\n */\nexport function wait(ms: number): Promise<void> {\n  return sleep(ms);\n}\n";
  const report =
    "```ts\n\n// @public\nexport function wait(ms: number): Promise<void>;\n\nexport { z }\n\n// (No @packageDocumentation comment for this package)\n\n```";
  const page = apiModulePage({ specifier: "a/b", purpose: "waiting" }, report, declarationsIn(source));
  expect(page).toContain(
    "## wait\n\nWaits.\n\n```ts\nawait wait(1);\n```\n\n```ts\nexport function wait(ms: number): Promise<void>;\n```",
  );
  expect(page).toContain("Also exports, from `@kubewright/core` and zod: `z`.");
});

test("every document of the repository becomes a page, what it links to too, and all of it is in one file", () => {
  const pages = stagePages(root);
  const paths = pages.map(({ path }) => path);
  expect(new Set(paths).size).toBe(paths.length);
  expect(paths).toEqual(
    expect.arrayContaining([
      "getting-started.md",
      "guides/client.md",
      "api/kubewright.md",
      "repository/ARCHITECTURE.md",
    ]),
  );
  const contents = pages.find(({ path }) => path === "contents.md");
  const parts = partsOf(contents === undefined ? "" : "## Start\n\n| Read | [Start](getting-started.md) |\n");
  expect(llmsIndex(parts, pages)).toContain("- [Start](getting-started.md): Read");
  const all = allInOne(parts, pages);
  expect(all.indexOf("# Getting started")).toBeLessThan(all.indexOf("# Concepts"));
  expect(all).toContain("# kubewright/client");
  expect(all).not.toContain("](/guides/");
});

test("an interface is shown with the comments of its members, and not with those of another of its name", () => {
  const other = "/** Another. */\nexport interface Options {\n  /** Wrong. */\n  readonly url: string;\n}\n";
  const own =
    "/** How long. */\nexport interface Options {\n  /** Right. @default 5 */\n  readonly timeout?: number;\n  readonly more?: string;\n}\n";
  const report =
    "```ts\n\n// @public\nexport interface Options {\n    readonly more?: string;\n    readonly timeout?: number;\n}\n\n```";
  const page = apiModulePage({ specifier: "a", purpose: "" }, report, [
    ...declarationsIn(other),
    ...declarationsIn(own),
  ]);
  expect(page).toContain(
    "How long.\n\n```ts\nexport interface Options {\n  /** Right. @default 5 */\n  readonly timeout?: number;\n  readonly more?: string;\n}\n```",
  );
  expect(page).not.toContain("Wrong");
});

test("what git does not track, such as leftovers of tests and builds, is neither listed nor linked to", () => {
  const { files } = TrackedFiles.of(root);
  const tracked = new TrackedFiles(files.filter((file) => file !== "operators/database/src/main.ts"));
  const listing = stagePages(root, tracked).find(({ source }) => source === "operators/database/src");
  expect(listing?.text).toContain("index.ts");
  expect(listing?.text).not.toContain("main.ts");

  const withoutPage = new TrackedFiles(files.filter((file) => file !== "docs/concepts.md"));
  expect(() => stagePages(root, withoutPage)).toThrow(
    / links to ".*concepts.md", which is not a file of the repository/,
  );
});
