import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { Program } from "./program.js";

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "kubewright-program-"));
});

afterEach(() => rmSync(folder, { recursive: true }));

/** A Node.js program that logs its start. It is ready when it has logged this many starts. */
function program(script: string, { starts, limitMs = 60_000 }: { starts: () => number; limitMs?: number }): Program {
  const command = [process.execPath, "-e", `console.log("start"); ${script}`];
  return new Program("demo", command, folder, { limitMs, passes: async () => startsOf() >= starts() });
}

function startsOf(): number {
  return readFileSync(join(folder, "demo.log"), "utf8").split("start\n").length - 1;
}

test("a program that ends before it is ready is reported with the end of its output", async () => {
  const failing = program(`console.error("no socket"); process.exitCode = 3;`, { starts: () => 2 });
  await expect(failing.start()).rejects.toThrow("Cannot start demo: it ended with code 3\nstart\nno socket");
});

test("a program that is not ready in time is reported, and can be stopped", async () => {
  const slow = program("setInterval(() => {}, 1000);", { starts: () => 2, limitMs: 300 });
  await expect(slow.start()).rejects.toThrow("Cannot start demo: not ready after 0.3 s: it is not ready");
  await slow.stop();
});

test("a program that was ready is started again when it ends, but not after it was stopped or killed", async () => {
  let starts = 1;
  writeFileSync(join(folder, "run"), "");
  const file = JSON.stringify(join(folder, "run"));
  const running = program(`setInterval(() => require("fs").accessSync(${file}), 10);`, { starts: () => starts });
  await running.start();
  rmSync(join(folder, "run"));
  starts = 2;
  // The second run ends too: the file is still missing.
  await running.start();
  writeFileSync(join(folder, "run"), "");
  starts = startsOf() + 1;
  await running.kill();
  const killed = startsOf();
  starts = killed + 1;
  await running.start();
  expect(startsOf()).toBe(killed + 1);
  await running.stop();
  expect(startsOf()).toBe(killed + 1);
});
