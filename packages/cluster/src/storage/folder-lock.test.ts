import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { ProcessTable } from "../process/index.js";
import { FolderLock } from "./folder-lock.js";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "kubewright-lock-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** A platform without /proc, where process 4242 started at this time. */
const mac = (lstart: string): ProcessTable => ({
  platform: "darwin",
  exists: () => true,
  readFile: () => {
    throw new Error("no such file");
  },
  run: () => `Ss ${lstart}`,
});
const hold = (): void =>
  writeFileSync(join(folder, "lock"), JSON.stringify({ pid: 4_242, startTime: String(Date.UTC(2026, 0, 2, 3, 4, 5)) }));

test("without /proc, the lock of a terminated process is stale although its pid is in use again", () => {
  hold();
  const lock = new FolderLock(folder, mac("Fri Jan  2 09:00:00 2026"));
  expect(JSON.parse(readFileSync(join(folder, "lock"), "utf8"))).toMatchObject({ pid: process.pid });
  lock.release();
});

test("without /proc, the lock of a running process holds", () => {
  hold();
  expect(() => new FolderLock(folder, mac("Fri Jan  2 03:04:05 2026"))).toThrow(
    `Cannot use data folder "${folder}": the cluster of process 4242 is using it`,
  );
});
