import { mkdtempSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { FakeClock } from "@kubewright/core/clock";
import { afterEach, beforeEach, expect, test } from "vitest";
import { RotatingFile } from "./rotating-file.js";

let path: string;
const clock = new FakeClock();
beforeEach(() => {
  path = join(mkdtempSync(join(tmpdir(), "kubewright-rotating-")), "file");
  writeFileSync(path, "one\n");
});
afterEach(() => rmSync(join(path, ".."), { recursive: true }));

const rotating = (): RotatingFile => new RotatingFile(path, { what: "file", clock });

test("within a minute it answers at once, without a promise and without a look", async () => {
  const file = rotating();
  expect(await file.current()).toBe("one");
  writeFileSync(path, "two");
  clock.advance(59_999);
  expect(file.current()).toBe("one");
  clock.advance(1);
  expect(await file.current()).toBe("two");
});

test("many who ask at once share one look", async () => {
  const file = rotating();
  const first = file.current();
  expect(first).toBeInstanceOf(Promise);
  expect(file.current()).toBe(first);
  expect(await first).toBe("one");
});

test("a file that looks the same is not read, unless its text was refused", async () => {
  const file = rotating();
  await file.current();
  const { atime, mtime } = statSync(path);
  utimesSync(path, atime, mtime);
  clock.advance(60_000);
  await file.current();
  writeFileSync(path, "two\n");
  utimesSync(path, atime, mtime);
  clock.advance(60_000);
  expect(await file.current()).toBe("one");
  file.suspect();
  expect(await file.current()).toBe("two");
});

test.each(["", " \n"])("an empty file (%j) is not taken for a new text", async (text) => {
  const file = rotating();
  await file.current();
  writeFileSync(path, text);
  file.suspect();
  expect(await file.current()).toBe("one");
  await expect(rotating().current()).rejects.toMatchObject({
    code: "CONFIG_INVALID",
    message: expect.stringMatching(/^Cannot read the file ".*": it is empty$/),
  });
});
