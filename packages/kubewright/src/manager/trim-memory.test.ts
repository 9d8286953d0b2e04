import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { FakeClock } from "@kubewright/core/clock";
import { expect, test } from "vitest";
import { trimMemory } from "./trim-memory.js";

async function gcCount(busyChecks: number, afterMs: number, disposeAtMs = Number.POSITIVE_INFINITY): Promise<number> {
  const clock = new FakeClock();
  let left = busyChecks;
  let collected = 0;
  const trim = trimMemory(
    clock,
    () => left-- > 0,
    () => collected++,
  );
  for (let atMs = 0; atMs < afterMs; atMs += 1_000) {
    if (atMs >= disposeAtMs) trim[Symbol.dispose]();
    await clock.advance(1_000);
  }
  return collected;
}

test("memory is released once, when the initial reconciles are done", async () => {
  expect(await gcCount(0, 4_000)).toBe(0);
  expect(await gcCount(0, 5_000)).toBe(1);
  expect(await gcCount(3, 19_000)).toBe(0);
  expect(await gcCount(3, 3_600_000)).toBe(1);
});

test("an operator that is never idle releases memory after one minute", async () => {
  expect(await gcCount(1_000, 59_000)).toBe(0);
  expect(await gcCount(1_000, 3_600_000)).toBe(1);
});

test("an operator that stops earlier runs no garbage collection", async () => {
  expect(await gcCount(0, 60_000, 2_000)).toBe(0);
});

/** Output of a process with `megabytes` of live objects after its initial work. */
async function collected(megabytes: number): Promise<string> {
  const script = `
    import { FakeClock } from "@kubewright/core/clock";
    import { trimMemory } from ${JSON.stringify(new URL("trim-memory.ts", import.meta.url).href)};
    const registry = new FinalizationRegistry((what) => { console.log(what); process.exit(0); });
    const litter = () => registry.register({ some: "garbage" }, "collected");
    const kept = Array.from({ length: ${megabytes} }, () => new Array(2 ** 17).fill(0.5));
    litter();
    const clock = new FakeClock();
    trimMemory(clock, () => false);
    await clock.advance(5_000);
    setTimeout(() => console.log("kept", kept.length), kept.length === 0 ? 200 : 20_000);`;
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ["--conditions=kubewright-source", "--import=tsx", "--input-type=module", "--eval", script],
    { cwd: import.meta.dirname, timeout: 30_000 },
  );
  return stdout;
}

test("a process with a large heap runs garbage collection, one with a small heap does not", async () => {
  expect(await Promise.all([collected(64), collected(0)])).toEqual(["collected\n", "kept 0\n"]);
});
