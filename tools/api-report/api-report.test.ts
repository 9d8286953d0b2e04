import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type ApiFindings, readApi, updateReports } from "./api-report.js";

let project: string;
beforeEach(() => {
  project = mkdtempSync(join(tmpdir(), "kubewright-api-"));
  symlinkSync(resolve(import.meta.dirname, "..", "..", "node_modules"), join(project, "node_modules"));
  mkdirSync(join(project, "dist"));
  const exports = { ".": { types: "./dist/index.d.ts" }, "./more": { types: "./dist/more.d.ts" } };
  writeFileSync(join(project, "package.json"), JSON.stringify({ name: "x", version: "1.0.0", exports }));
});
afterEach(() => rmSync(project, { recursive: true }));

function apiOf(index: string, more = ""): ApiFindings {
  writeFileSync(join(project, "dist", "index.d.ts"), `${index}\nexport {};\n`);
  writeFileSync(join(project, "dist", "more.d.ts"), `${more}\nexport {};\n`);
  return readApi(project);
}

test("each entry point has a report of its declarations, and files of entry points that are gone are removed", () => {
  const { reports, problems } = apiOf(
    "/** One. */\nexport declare const one: 1;",
    "/** Two. */\nexport declare const two: 2;",
  );
  expect(problems).toEqual([]);
  expect([...reports.keys()]).toEqual(["index", "more"]);
  expect(reports.get("more")).toContain("export const two: 2;");
  const folder = join(project, "api");
  mkdirSync(folder);
  writeFileSync(join(folder, "old.api.md"), "");
  expect(updateReports(folder, reports)).toEqual(["index.api.md", "more.api.md", "old.api.md"]);
  expect(updateReports(folder, reports)).toEqual([]);
});

test("exports, methods of interfaces and options need a doc comment, fields that carry data do not", () => {
  const { problems } = apiOf(
    "export declare const one: 1;",
    `/** Two. */
export interface Two {
  readonly data: string;
  method(): void;
}
/** Three. */
export interface ThreeOptions {
  readonly size?: number;
}`,
  );
  expect(problems.map((problem) => problem.replace(/^.*\/dist\//, ""))).toEqual([
    `index.d.ts: "export const one: 1;" has no doc comment`,
    `more.d.ts: "method(): void;" of Two has no doc comment`,
    `more.d.ts: "readonly size?: number;" of ThreeOptions has no doc comment`,
  ]);
});

test("a type that a signature names is exported by one of the entry points", () => {
  const shared = `/** Named. */\nexport interface Named { readonly a: 1; }`;
  const user = `import { Named } from "./more.js";\n/** One. */\nexport declare const one: Named;`;
  expect(apiOf(user, shared).problems).toEqual([]);
  expect(apiOf(`interface Hidden { readonly a: 1; }\n/** One. */\nexport declare const one: Hidden;`).problems).toEqual(
    [expect.stringContaining('"Hidden" is named by a public signature and not exported')],
  );
});
