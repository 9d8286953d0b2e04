import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { killLoop } from "./kill-loop.js";

test("a server that is killed under load loses no acknowledged write", async () => {
  const folder = mkdtempSync(join(tmpdir(), "kubewright-kill-"));
  try {
    const report = await killLoop({
      folder: join(folder, "data"),
      kills: 5,
      writers: 8,
      maxLoadMs: 200,
      random: Math.random,
    });
    expect(report.problems).toEqual([]);
    expect(report.acknowledged).toBeGreaterThan(0);
  } finally {
    rmSync(folder, { recursive: true });
  }
  // Starts six processes, on a machine that may be busy.
}, 180_000);
