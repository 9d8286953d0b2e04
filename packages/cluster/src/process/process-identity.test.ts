import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import type { Readable, Writable } from "node:stream";
import { expect, test } from "vitest";
import { isRunning, type ProcessTable, startTimeOf } from "./index.js";

const pid = 4_242;
const table = (change: Partial<ProcessTable>): ProcessTable => ({
  platform: "linux",
  exists: () => true,
  readFile: () => {
    throw new Error("no such file");
  },
  run: () => {
    throw new Error("no such command");
  },
  ...change,
});
const mac = (line: string): ProcessTable => table({ platform: "darwin", run: () => line });
const windows = (line: string): ProcessTable => table({ platform: "win32", run: () => line });
const started = String(Date.UTC(2026, 0, 2, 3, 4, 5));

test.each<[string, ProcessTable, string | undefined]>([
  ["a pid that is not in use", table({ exists: () => false }), undefined],
  ["Linux", table({ readFile: () => `${pid} (a) b) S 1 ${"0 ".repeat(17)}777 0` }), "777"],
  ["a zombie on Linux", table({ readFile: () => `${pid} (node) Z 1 ${"0 ".repeat(17)}777 0` }), undefined],
  ["Linux without /proc", table({}), ""],
  ["macOS", mac("Ss   Fri Jan  2 03:04:05 2026    \n"), started],
  ["a zombie on macOS", mac("Z+   Fri Jan  2 03:04:05 2026\n"), undefined],
  ["macOS without ps", table({ platform: "darwin" }), ""],
  ["Windows", windows("2026-01-02T03:04:05.0000000Z\r\n"), started],
  ["a process of another user on Windows", windows("\r\n"), ""],
])("the start time of a process: %s", (_, processes, expected) => {
  expect(startTimeOf(pid, processes)).toBe(expected);
});

test("a later process with the same pid is another process", () => {
  const identity = { pid, startTime: String(Date.UTC(2026, 0, 2, 3, 4, 5, 640)) };
  expect(isRunning(identity, mac("Ss Fri Jan  2 03:04:05 2026"))).toBe(true);
  expect(isRunning(identity, mac("Ss Fri Jan  2 03:09:05 2026"))).toBe(false);
  expect(isRunning(identity, windows("2026-01-02T03:04:05.1000000Z"))).toBe(true);
  expect(isRunning(identity, windows("2026-01-02T03:09:05.1000000Z"))).toBe(false);
});

test("a process whose start time is not known counts as running", () => {
  expect(isRunning({ pid, startTime: started }, table({ platform: "darwin" }))).toBe(true);
  expect(isRunning({ pid, startTime: "" }, mac("Ss Fri Jan  2 03:04:05 2026"))).toBe(true);
});

test("the running process is identified without a command", () => {
  const startTime = startTimeOf(process.pid, table({ platform: "win32" }));
  expect(Number(startTime)).toBeCloseTo(performance.timeOrigin, -1);
});

test.skipIf(process.platform === "win32")("a child that has terminated and was not reaped does not run", async () => {
  // The child ends when descriptor 3 is closed. By then the shell, which might reap it, has replaced itself by a program that waits for nothing.
  const script = "cat <&3 >/dev/null & exec sh -c 'echo $0; exec sleep 60' $!";
  const parent = spawn("/bin/sh", ["-c", script], { stdio: ["ignore", "pipe", "inherit", "pipe"] });
  try {
    const [line] = (await once(createInterface({ input: parent.stdio[1] as Readable }), "line")) as [string];
    const child = Number(line);
    expect(startTimeOf(child)).toBeDefined();
    (parent.stdio[3] as Writable).end();
    await expect.poll(() => startTimeOf(child), { timeout: 10_000, interval: 5 }).toBeUndefined();
    expect(() => process.kill(child, 0)).not.toThrow();
    expect(isRunning({ pid: child, startTime: "" })).toBe(false);
  } finally {
    parent.kill("SIGKILL");
  }
});
