import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { packageNames } from "../../build/package-names.js";

const root = join(import.meta.dirname, "..", "..", "..");

/** The variables that a source reads: `env["A"]`, `const { A } = env`, `read("A_PROXY")`, a table of `TEST_ASSET_…`, a prefix. */
function variablesIn(source: string): string[] {
  const destructured = [...source.matchAll(/const \{([^}]*)\} = env(?:ironment)?\b/g)].map(([, names = ""]) => names);
  return [
    ...[...source.matchAll(/\benv(?:ironment)?\??\.?\["([A-Z][A-Z0-9_]*)"\]/g)].map(([, name = ""]) => name),
    ...destructured.flatMap((names) => [...names.matchAll(/\b([A-Z][A-Z0-9_]+)\b/g)].map(([, name = ""]) => name)),
    ...[...source.matchAll(/\bread\("([A-Z_]+)"\)/g)].map(([, name = ""]) => name),
    ...[...source.matchAll(/"((?:TEST_ASSET|KUBE_FEATURE)_[A-Z_]*)"/g)].map(([, name = ""]) => name),
  ];
}

test("variables are found where they are read by name, destructured, or listed", () => {
  const source = `process.env["A_B"]; environment?.["C"]; const { DD = "", EE: f } = env; read("G_H"); const t = { a: "TEST_ASSET_X" };`;
  expect(variablesIn(source)).toEqual(["A_B", "C", "DD", "EE", "G_H", "TEST_ASSET_X"]);
});

test("the reference lists every environment variable that the packages read, and no other", () => {
  const sources = packageNames.flatMap((name) => {
    const folder = join(root, "packages", name, "src");
    return readdirSync(folder, { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith(".ts") && !/\.(test|gen|d)\.ts$/.test(file))
      .map((file) => readFileSync(join(folder, file), "utf8"));
  });
  const read = new Set(sources.flatMap(variablesIn));
  const page = readFileSync(join(root, "docs/reference/environment.md"), "utf8");
  const rows = [...page.matchAll(/^\| (`[^|]+) \|/gm)].map(([, cell = ""]) => cell);
  const listed = rows.flatMap((cell) => [...cell.matchAll(/`(\w+)`/g)].map(([, name = ""]) => name));
  // One switch of a family that is read by its prefix.
  const families = new Set(listed.map((name) => name.replace(/^KUBE_FEATURE_\w+$/, "KUBE_FEATURE_")));
  expect([...families].toSorted()).toEqual([...read].toSorted());
});
