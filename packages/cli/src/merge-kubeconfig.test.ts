import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { mergeKubeconfig, unmergeKubeconfig } from "./merge-kubeconfig.js";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "kubewright-merge-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

const own = JSON.stringify({
  clusters: [{ cluster: { server: "https://127.0.0.1:1" } }],
  users: [{ user: { token: "t" } }],
});

test.each([
  ["LF", "\n"],
  ["CRLF", "\r\n"],
])("a kubeconfig with %s line ends keeps them", async (_, lineEnd) => {
  const file = join(folder, "config");
  const before = ["apiVersion: v1", "kind: Config", "# mine", "clusters:", "  - name: work", ""].join(lineEnd);
  writeFileSync(file, before);
  await mergeKubeconfig(own, { file, name: "dev", setContext: false });
  const merged = readFileSync(file, "utf8");
  expect(merged).toContain(`name: kubewright-dev${lineEnd}`);
  expect(merged.split(lineEnd).filter((line) => /[\r\n]/.test(line))).toEqual([]);
  await unmergeKubeconfig(file, "dev");
  expect(readFileSync(file, "utf8").startsWith(before)).toBe(true);
});
