import { stripVTControlCharacters } from "node:util";
import { expect, test } from "vitest";
import { defaultLogger } from "./default-logger.js";

function output(isTTY: boolean): { lines: string[]; write(text: string): void; isTTY: boolean } {
  const lines: string[] = [];
  return { lines, write: (text) => void lines.push(text), isTTY };
}

test("outside a terminal each line is JSON with level, time, message and fields", async () => {
  const target = output(false);
  const logger = (await defaultLogger(target)).child({ controller: "foo" });
  logger.error({ err: new Error("no luck"), attempt: 3 }, "Reconcile failed");
  expect(JSON.parse(target.lines[0] ?? "")).toMatchObject({
    level: "error",
    time: expect.stringMatching(/^\d{4}-.*Z$/),
    controller: "foo",
    attempt: 3,
    msg: "Reconcile failed",
    err: { message: "no luck" },
  });
});

test("in a terminal a line reads like a sentence", async () => {
  const target = output(true);
  (await defaultLogger(target))
    .child({ controller: "foo" })
    .info({ key: "default/shop", note: "two words" }, "Reconciled");
  const plain = stripVTControlCharacters(target.lines.join(""));
  expect(plain).toBe(`INFO  Reconciled controller=foo key=default/shop note="two words"\n`);
});
