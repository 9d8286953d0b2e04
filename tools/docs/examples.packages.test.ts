import { spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { parseAllDocuments } from "yaml";
import { binScript } from "../bin-script.js";
import { documents } from "./documents.js";
import { codeBlocks } from "./markdown-code.js";

const root = join(import.meta.dirname, "..", "..");
const blocks = documents(root).flatMap((page) =>
  codeBlocks(readFileSync(join(root, page), "utf8")).map((block) => ({
    ...block,
    page,
    where: `${page}:${block.line}`,
  })),
);
const examples = blocks.filter(({ info }) => /^ts\b/.test(info));

/** Inside the repository, so that packages resolve as in a user's project. A folder for each page, with `docs/examples` in it. */
let folder: string;
beforeAll(() => {
  mkdirSync(join(root, "node_modules", ".cache"), { recursive: true });
  folder = mkdtempSync(join(root, "node_modules", ".cache", "examples-"));
  writeFileSync(join(folder, "package.json"), `{"type":"module"}`);
  const shared = readdirSync(join(root, "docs", "examples"));
  for (const example of examples) {
    const pageFolder = join(folder, folderOf(example));
    mkdirSync(pageFolder, { recursive: true });
    for (const file of shared) copyFileSync(join(root, "docs", "examples", file), join(pageFolder, file));
  }
  for (const example of examples) writeFileSync(join(folder, fileOf(example)), example.code);
});
afterAll(() => rmSync(folder, { recursive: true }));

interface Example {
  readonly page: string;
  readonly code: string;
  readonly line: number;
}

function folderOf({ page }: Example): string {
  return page.replace(/\W/g, "-");
}

/** A first line `// pools.ts` names the file, for other examples of the page; tests are files of their own kind. */
function fileOf(example: Example): string {
  const [, name] = /^\/\/ ([\w-]+\.ts)\n/.exec(example.code) ?? [];
  const isTest = /from "vitest"/.test(example.code);
  return join(folderOf(example), name ?? `line-${example.line}${isTest ? ".test" : ""}.ts`);
}

test("every example of the documents is complete: it has its imports", () => {
  expect(examples.length).toBeGreaterThan(40);
  expect(examples.filter(({ code }) => !/^import /m.test(code)).map(({ where }) => where)).toEqual([]);
});

test("every example type-checks with the strict settings", () => {
  const settings = {
    extends: join(root, "tsconfig.base.json"),
    compilerOptions: {
      noEmit: true,
      composite: false,
      incremental: false,
      typeRoots: [join(root, "node_modules", "@types")],
    },
    include: ["*/*.ts"],
  };
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(settings));
  const tsc = spawnSync(process.execPath, [binScript(root, "tsc"), "-p", folder], { encoding: "utf8" });
  expect(tsc.stdout).toBe("");
}, 240_000);

test("every example that is a test passes", () => {
  const tests = examples.filter(({ code }) => /from "vitest"/.test(code));
  expect(tests.length).toBeGreaterThan(2);
  const settings = `export default { root: ${JSON.stringify(folder)}, resolve: { conditions: ["kubewright-source"] },
    ssr: { resolve: { conditions: ["kubewright-source"] } }, test: { include: ["*/*.test.ts"], pool: "threads", isolate: false, testTimeout: 60_000 } };`;
  writeFileSync(join(folder, "vitest.config.js"), settings);
  const vitest = join(root, "node_modules", "vitest", "vitest.mjs");
  const env = { ...process.env, NO_COLOR: "1" };
  const run = spawnSync(process.execPath, [vitest, "run", "--config", join(folder, "vitest.config.js")], {
    cwd: folder,
    encoding: "utf8",
    env,
  });
  expect(run.status, run.stdout + run.stderr).toBe(0);
}, 240_000);

test("every example that is marked to run does", () => {
  // The one of the README is run, with its output, by readme.test.ts.
  const programs = examples.filter(({ info, page }) => info === "ts run" && page !== "README.md");
  expect(programs.length).toBeGreaterThan(3);
  const imports = programs.map(
    (one) => `await import(${JSON.stringify(pathToFileURL(join(folder, fileOf(one))).href)});`,
  );
  writeFileSync(join(folder, "run.ts"), `${imports.join("\n")}\nexport {};\n`);
  const run = spawnSync(process.execPath, ["--conditions=kubewright-source", "--import=tsx", join(folder, "run.ts")], {
    encoding: "utf8",
  });
  expect(run.status, run.stdout + run.stderr).toBe(0);
}, 240_000);

test("every YAML of the documents parses", () => {
  const problems = blocks
    .filter(({ info }) => info === "yaml")
    .flatMap(({ code, where }) =>
      parseAllDocuments(code).flatMap((document) => document.errors.map(({ message }) => `${where}: ${message}`)),
    );
  expect(problems).toEqual([]);
});

test("every code block has a language that readers and programs know", () => {
  const known = new Set([
    "ts",
    "ts run",
    "sh",
    "console",
    "yaml",
    "json",
    "text",
    "go",
    "python",
    "dockerfile",
    "promql",
  ]);
  // A diagram has none.
  const unknown = blocks.filter(({ info, code }) => !known.has(info) && !(info === "" && /[─▶]|^[$ ]/m.test(code)));
  expect(unknown.map(({ where, info }) => `${where}: ${info}`)).toEqual([]);
});
