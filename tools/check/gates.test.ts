import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { binScript } from "../bin-script.js";
import { gates } from "./gates.js";

// Each gate passes on a small valid project and fails once it contains the bad example, with the settings of this repository.
const repository = resolve(import.meta.dirname, "..", "..");
let project: string;
beforeEach(() => {
  project = mkdtempSync(join(tmpdir(), "kubewright-gate-"));
  // A junction: Windows allows symbolic links to administrators only. The type is ignored elsewhere.
  symlinkSync(join(repository, "node_modules"), join(project, "node_modules"), "junction");
});
afterEach(() => rmSync(project, { recursive: true }));

function put(files: Readonly<Record<string, string | object>>): void {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(project, path)), { recursive: true });
    writeFileSync(join(project, path), typeof content === "string" ? content : JSON.stringify(content));
  }
}

function run(program: string, ...args: string[]): { passed: boolean; output: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [binScript(repository, program), ...args], {
    cwd: project,
    encoding: "utf8",
    shell: process.platform === "win32",
  });
  return { passed: status === 0, output: stdout + stderr };
}

test("npm run check runs types, lint, layers, vocabulary, the public API, lock files, unused code and package exports", () => {
  const programs = new Set(gates.map(({ command }) => command[0]));
  expect([...programs]).toEqual(["tsc", "biome", "tsx", "knip", "publint"]);
});

test("the type gate fails on a type error, with the strict settings of the repository", () => {
  put({
    "tsconfig.json": {
      extends: join(repository, "tsconfig.base.json"),
      compilerOptions: { rootDir: ".", outDir: "dist", types: [] },
      files: ["a.ts"],
    },
    "a.ts": "export const first = (list: readonly string[]): string => list[0] ?? '';\n",
    "package.json": { type: "module" },
  });
  expect(run("tsc", "-b")).toMatchObject({ passed: true });
  put({ "a.ts": "export const first = (list: readonly string[]): string => list[0];\n" });
  expect(run("tsc", "-b")).toMatchObject({
    passed: false,
    output: expect.stringContaining("a.ts(1,59): error TS2322"),
  });
});

test("the lint gate fails on a badly formatted file, and on a floating promise", () => {
  put({
    "biome.json": { root: true, extends: [join(repository, "biome.json")], vcs: { enabled: false } },
    "a.ts": "export const a = 1;\n",
  });
  expect(run("biome", "check", "--error-on-warnings", "a.ts")).toMatchObject({ passed: true });
  put({ "a.ts": "export const   a=1\n" });
  expect(run("biome", "check", "--error-on-warnings", "a.ts")).toMatchObject({
    passed: false,
    output: expect.stringContaining("format"),
  });
  put({ "a.ts": "async function work(): Promise<void> {}\nwork();\n" });
  expect(run("biome", "check", "--error-on-warnings", "a.ts")).toMatchObject({
    passed: false,
    output: expect.stringContaining("noFloatingPromises"),
  });
});

test("the layers gate fails on a wrong import", () => {
  const gate = (): ReturnType<typeof run> =>
    run("tsx", join(repository, "tools", "check", "layers", "main.ts"), project);
  put({ "packages/core/src/json/index.ts": "export const a = 1;\n" });
  expect(gate()).toMatchObject({ passed: true });
  put({ "packages/core/src/json/index.ts": `import { operator } from "kubewright";\nexport const a = operator;\n` });
  expect(gate()).toMatchObject({
    passed: false,
    output: expect.stringContaining(`"core" may not import "kubewright"`),
  });
});

test("the API gate fails on a change of the API, shows it, and names the command that accepts it", () => {
  const gate = (...args: string[]): ReturnType<typeof run> =>
    run("tsx", join(repository, "tools", "api-report", "main.ts"), project, ...args);
  const declaration = "/** One. */\nexport declare const one: number;\nexport {};\n";
  put({
    "packages/x/package.json": { name: "x", version: "1.0.0", exports: { ".": { types: "./dist/index.d.ts" } } },
    "packages/x/dist/index.d.ts": declaration,
  });
  expect(gate("--write")).toMatchObject({ passed: true });
  put({ "packages/x/dist/index.d.ts": declaration.replace("number", "string") });
  const { passed, output } = gate();
  expect(passed).toBe(false);
  expect(output).toContain("-export const one: number;\n+export const one: string;\n");
  expect(output).toContain("npm run api");
});

test("the lock gate fails on a binding without an entry, in any lock file", () => {
  const gate = (): ReturnType<typeof run> => run("tsx", join(repository, "tools", "check", "lock", "main.ts"), project);
  const host = { optionalDependencies: { "@x/darwin": "1.0.0" } };
  const complete = { packages: { "node_modules/x": host, "node_modules/@x/darwin": {} } };
  const file = "tools/packages/consumer/package-lock.json";
  put({ "package-lock.json": complete, "tools/site/package-lock.json": complete, [file]: complete });
  expect(gate()).toMatchObject({ passed: true });
  put({ [file]: { packages: { "node_modules/x": host } } });
  expect(gate()).toMatchObject({
    passed: false,
    output: expect.stringContaining(`${file}: "node_modules/x" depends on "@x/darwin", which has no entry`),
  });
});

test("the unused-code gate fails on an unused export and on an unused dependency", () => {
  const manifest = { name: "x", type: "module", main: "index.ts", dependencies: {} };
  put({
    "package.json": manifest,
    "index.ts": `import { a } from "./a.ts";\nvoid a;\n`,
    "a.ts": "export const a = 1;\n",
  });
  expect(run("knip", "--no-progress")).toMatchObject({ passed: true });
  put({ "a.ts": "export const a = 1;\nexport const unusedExport = 2;\n" });
  expect(run("knip", "--no-progress")).toMatchObject({
    passed: false,
    output: expect.stringContaining("unusedExport"),
  });
  put({ "a.ts": "export const a = 1;\n", "package.json": { ...manifest, dependencies: { "fast-check": "4.10.2" } } });
  expect(run("knip", "--no-progress")).toMatchObject({ passed: false, output: expect.stringContaining("fast-check") });
});

test("the package-exports gate fails on a missing export", () => {
  const manifest = {
    name: "x",
    version: "1.0.0",
    type: "module",
    license: "Apache-2.0",
    files: ["dist"],
    exports: "./dist/index.js",
  };
  put({ "package.json": manifest, "dist/index.js": "export const a = 1;\n" });
  expect(run("publint", "--strict", ".")).toMatchObject({ passed: true });
  put({ "package.json": { ...manifest, exports: "./dist/missing.js" } });
  expect(run("publint", "--strict", ".")).toMatchObject({
    passed: false,
    output: expect.stringContaining("missing.js"),
  });
});
