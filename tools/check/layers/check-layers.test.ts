import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { checkLayers, type Layers } from "./check-layers.js";
import { importsOf } from "./imports.js";

const layers: Layers = {
  packages: { core: [], kubewright: ["core"], cluster: ["core"] },
  operators: ["kubewright"],
  folderPackages: { "packages/cluster/src/controllers": ["kubewright"] },
  folderTypes: { "packages/cluster/src/registry": ["kubewright"] },
  folders: { "packages/kubewright/src": ["manager", "queue"] },
};

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "kubewright-layers-"));
});
afterEach(() => rmSync(root, { recursive: true }));

function check(files: Readonly<Record<string, string>>): string[] {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return checkLayers(root, layers);
}

test("a folder in folderTypes may import only types of a package", () => {
  const problems = check({
    "packages/cluster/src/registry/a.ts": `import type { Pod } from "kubewright/k8s/core/v1";`,
    "packages/cluster/src/registry/b.ts": `import { Pod } from "kubewright/k8s/core/v1";`,
  });
  expect(problems).toEqual(['packages/cluster/src/registry/b.ts:1: "cluster" may not import "kubewright"']);
});

test("imports of lower layers through index.ts pass", () => {
  const problems = check({
    "packages/kubewright/src/index.ts": `export { run } from "./manager/index.js";`,
    "packages/kubewright/src/manager/index.ts": `export { run } from "./run.js";`,
    "packages/kubewright/src/manager/run.ts": `import { Queue } from "../queue/index.js";\nimport { x } from "@kubewright/core/json";`,
    "packages/kubewright/src/queue/index.ts": `export class Queue {}`,
    "operators/foo/src/index.ts": `import { operator } from "kubewright";`,
  });
  expect(problems).toEqual([]);
});

test("a package that imports a higher package fails", () => {
  expect(check({ "packages/core/src/json/index.ts": `import { operator } from "kubewright";` })).toEqual([
    `packages/core/src/json/index.ts:1: "core" may not import "kubewright"`,
  ]);
});

test("a folder in folderPackages may import more packages than the rest of its package", () => {
  const source = `import { controller } from "kubewright";`;
  const files = { "packages/cluster/src/controllers/a.ts": source, "packages/cluster/src/registry/b.ts": source };
  expect(check(files)).toEqual([`packages/cluster/src/registry/b.ts:1: "cluster" may not import "kubewright"`]);
});

test("a folder that imports a higher folder fails", () => {
  const problems = check({
    "packages/kubewright/src/manager/index.ts": "export const a = 1;",
    "packages/kubewright/src/queue/index.ts": `\nimport { a } from "../manager/index.js";`,
  });
  expect(problems).toEqual([
    `packages/kubewright/src/queue/index.ts:2: "queue" may not import "manager": it is a higher layer`,
  ]);
});

test("an import past index.ts fails, in tests too", () => {
  const files = {
    "packages/kubewright/src/queue/work-queue.ts": "export const a = 1;",
    "packages/kubewright/src/manager/run.ts": `import { a } from "../queue/work-queue.js";`,
    "packages/kubewright/src/manager/run.test.ts": `import { a } from "../queue/work-queue.js";`,
  };
  expect(check(files)).toEqual([
    expect.stringContaining("run.test.ts:1"),
    expect.stringContaining("is internal to its folder"),
  ]);
});

test("an import cycle fails, and its files are named", () => {
  const problems = check({
    "packages/core/src/json/a.ts": `import { b } from "./b.js";`,
    "packages/core/src/json/b.ts": `import type { a } from "./a.js";`,
  });
  expect(problems).toEqual([
    "Import cycle: packages/core/src/json/a.ts -> packages/core/src/json/b.ts -> packages/core/src/json/a.ts",
  ]);
});

test("a relative import into another package and one of a missing file fail", () => {
  const problems = check({
    "packages/core/src/json/index.ts": "export const a = 1;",
    "packages/cluster/src/index.ts": `import { a } from "../../core/src/json/index.js";\nimport "./missing.js";`,
  });
  expect(problems).toEqual([
    expect.stringContaining("belongs to another package"),
    expect.stringContaining("is not a source file"),
  ]);
});

test("tests may import any package", () => {
  expect(
    check({ "packages/kubewright/test/journey.test.ts": `import { startCluster } from "@kubewright/cluster";` }),
  ).toEqual([]);
});

test("importsOf finds every form of import over several lines, and none in comments and strings", () => {
  const source = [
    `import {`,
    `  a,`,
    `} from "./a.js";`,
    `export type { B } from "./b.js";`,
    `import "./c.js";`,
    `const d = await import("./d.js");`,
    `// import "./no.js";`,
    `/** import { no } from "./no.js"; */`,
    `const text = 'from "./no.js"';`,
  ].join("\n");
  expect(importsOf(source)).toEqual([
    { specifier: "./a.js", line: 3, isTypeOnly: false },
    { specifier: "./b.js", line: 4, isTypeOnly: true },
    { specifier: "./c.js", line: 5, isTypeOnly: false },
    { specifier: "./d.js", line: 6, isTypeOnly: false },
  ]);
});
