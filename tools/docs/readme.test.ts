import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { codeBlocks } from "./markdown-code.js";

const root = join(import.meta.dirname, "..", "..");
const readme = readFileSync(join(root, "README.md"), "utf8");
const blocks = codeBlocks(readme);

// Inside the repository, so that packages resolve as in a user's project.
let folder: string;
beforeAll(() => {
  mkdirSync(join(root, "node_modules", ".cache"), { recursive: true });
  folder = mkdtempSync(join(root, "node_modules", ".cache", "readme-"));
  writeFileSync(join(folder, "package.json"), `{"type":"module"}`);
});
afterAll(() => rmSync(folder, { recursive: true }));

test("the first code that runs is before line 30, and the page has less than 200 lines", () => {
  expect(blocks.find(({ info }) => info === "ts run")?.line).toBeLessThan(30);
  expect(readme.split("\n").length).toBeLessThan(200);
});

test("the code that runs prints the output on the page", () => {
  const index = blocks.findIndex(({ info }) => info === "ts run");
  writeFileSync(join(folder, "run.ts"), blocks[index]?.code ?? "");
  const output = execFileSync(
    process.execPath,
    ["--conditions=kubewright-source", "--import=tsx", join(folder, "run.ts")],
    { encoding: "utf8" },
  );
  expect(output).toBe(blocks.slice(index).find(({ info }) => info === "text")?.code);
});
