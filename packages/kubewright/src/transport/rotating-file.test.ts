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

test("within a minute current() returns synchronously, without checking the file", async () => {
  const file = rotating();
  expect(await file.current()).toBe("one");
  writeFileSync(path, "two");
  clock.advance(59_999);
  expect(file.current()).toBe("one");
  clock.advance(1);
  expect(await file.current()).toBe("two");
});

test("concurrent callers share one check", async () => {
  const file = rotating();
  const first = file.current();
  expect(first).toBeInstanceOf(Promise);
  expect(file.current()).toBe(first);
  expect(await first).toBe("one");
});

test("a file with unchanged mtime and size is not read, unless its content was rejected", async () => {
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
  file.invalidate();
  expect(await file.current()).toBe("two");
});

test.each(["", " \n"])("an empty file (%j) does not replace the content", async (text) => {
  const file = rotating();
  await file.current();
  writeFileSync(path, text);
  file.invalidate();
  expect(await file.current()).toBe("one");
  await expect(rotating().current()).rejects.toMatchObject({
    code: "CONFIG_INVALID",
    message: expect.stringMatching(/^Cannot read the file ".*": it is empty$/),
  });
});
