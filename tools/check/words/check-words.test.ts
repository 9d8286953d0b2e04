import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { checkWords, findTerms } from "./check-words.js";

test("a banned term is reported with file, line and replacement", () => {
  expect(findTerms("a.ts", "// Lists,\n// then lists anew.\n")).toEqual([
    'a.ts:2: "anew": use relist, restart, recreate, again',
  ]);
});

test.each([
  "The cache is mended",
  "Keeper of pods",
  "fights_total",
  "the keys are told",
  "It lets go of it",
  "Whoever asks, somebody or nobody",
  "goes to and fro, in another tongue",
])("%s is reported", (text) => {
  expect(findTerms("a.md", text)).not.toEqual([]);
});

test("a term of several words is found across the lines of a comment", () => {
  expect(findTerms("a.ts", "/**\n * The client is\n * told so.\n */")).toEqual([expect.stringContaining('"is told"')]);
});

test("parts of other words and quoted object names are not reported", () => {
  expect(findTerms("a.ts", "Recommended amendments: a bookkeeper, ZooKeeper, firefighting, aNew")).toEqual([]);
  expect(findTerms("a.ts", 'create(pod("nobody"));\nremove("pods/nobody");')).toEqual([]);
  expect(findTerms("a.md", "The user `nobody` is forbidden")).toEqual([]);
});

test("checkWords reads tracked files, except generated ones", () => {
  const root = mkdtempSync(join(tmpdir(), "kubewright-words-"));
  try {
    for (const file of ["a.ts", "b.md", "c.gen.json", "untracked.md"]) writeFileSync(join(root, file), "lists anew\n");
    execFileSync("git", ["init", "--quiet"], { cwd: root });
    execFileSync("git", ["add", "a.ts", "b.md", "c.gen.json"], { cwd: root });
    expect(checkWords(root)).toEqual([expect.stringMatching(/^a\.ts:1: "anew"/), expect.stringMatching(/^b\.md:1: /)]);
  } finally {
    rmSync(root, { recursive: true });
  }
});
