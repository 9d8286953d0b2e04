import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { syncVersions } from "./source-version.js";

const root = join(import.meta.dirname, "..", "..");
const sources = ["packages/kubewright/src/transport/user-agent.ts", "packages/cli/src/version.ts"];

test("the sources carry the version of package.json, and get a new one", () => {
  const copy = mkdtempSync(join(tmpdir(), "kubewright-version-"));
  onTestFinished(() => rmSync(copy, { recursive: true }));
  const manifests = ["packages/kubewright/package.json", "packages/cli/package.json"];
  for (const file of [...sources, ...manifests]) cpSync(join(root, file), join(copy, file));
  expect(syncVersions(copy)).toEqual([]);
  for (const file of manifests) {
    const text = readFileSync(join(copy, file), "utf8");
    writeFileSync(join(copy, file), text.replace(/"version": "[^"]+"/, '"version": "12.34.56"'));
  }
  expect(syncVersions(copy)).toEqual(sources);
  for (const file of sources) expect(readFileSync(join(copy, file), "utf8")).toContain('"12.34.56"');
});
