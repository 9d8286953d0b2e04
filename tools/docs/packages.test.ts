import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { packageNames, publishedName } from "../build/package-names.js";

const root = join(import.meta.dirname, "..", "..");

interface Manifest {
  readonly exports: Readonly<Record<string, unknown>>;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
}

function manifestOf(name: string): Manifest {
  return JSON.parse(readFileSync(join(root, "packages", name, "package.json"), "utf8")) as Manifest;
}

function section(markdown: string, title: string): string {
  return new RegExp(`^## ${title}\\n(.*?)(?=^## |(?![\\s\\S]))`, "ms").exec(markdown)?.[1] ?? "";
}

/** The names in backticks that begin the rows of a section's table. */
function firstColumn(markdown: string, title: string): string[] {
  return [...section(markdown, title).matchAll(/^\| `([^`]+)`/gm)].map(([, name]) => name ?? "");
}

test.each(packageNames)("the README of %s lists the subpaths and dependencies of its package.json", (name) => {
  const readme = readFileSync(join(root, "packages", name, "README.md"), "utf8");
  const { exports, dependencies, optionalDependencies, peerDependencies } = manifestOf(name);
  const subpaths = Object.keys(exports).map((path) => path.replace(/^\./, publishedName(name)));
  expect(firstColumn(readme, "Subpaths").toSorted()).toEqual(subpaths.toSorted());
  const all = Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies });
  expect(firstColumn(readme, "Dependencies").toSorted()).toEqual(all.toSorted());
  expect(section(readme, "Does not do")).toMatch(/^- /m);
});

test.each(packageNames)("every link of the README of %s to a file leads to one", (name) => {
  const page = join(root, "packages", name, "README.md");
  const links = [...readFileSync(page, "utf8").matchAll(/\]\((?!https?:|#)([^)#]+)[^)]*\)/g)];
  expect(links.map(([, path = ""]) => path).filter((path) => !existsSync(join(dirname(page), path)))).toEqual([]);
});

test("the Packages table of the root README lists every package with its third-party dependencies", () => {
  const table = section(readFileSync(join(root, "README.md"), "utf8"), "Packages");
  const rows = [...table.matchAll(/^\| \[`([^`]+)`\]\(packages\/([^)]+)\) \|[^|]*\|([^|]*)\|$/gm)];
  const listed = rows.map(([, full, name, cell = ""]) => ({
    full,
    name,
    needs: cell.split(",").map((one) => one.trim()),
  }));
  const actual = packageNames.map((name) => {
    const { dependencies, optionalDependencies = {} } = manifestOf(name);
    const needs = [
      ...Object.keys(dependencies).filter((one) => !/^(@kubewright\/|kubewright$)/.test(one)),
      ...Object.keys(optionalDependencies).map((one) => `${one} (optional)`),
    ];
    return { full: publishedName(name), name, needs: needs.length > 0 ? needs.toSorted() : [""] };
  });
  const byName = (a: { readonly full: string | undefined }, b: { readonly full: string | undefined }): number =>
    (a.full ?? "").localeCompare(b.full ?? "");
  const sorted = listed.map((row) => ({ ...row, needs: row.needs.toSorted() }));
  expect(sorted.toSorted(byName)).toEqual(actual.toSorted(byName));
});
