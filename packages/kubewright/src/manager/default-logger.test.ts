import { stripVTControlCharacters } from "node:util";
import { expect, test } from "vitest";
import { defaultLogger } from "./default-logger.js";
import { LogThreshold } from "./leveled-logger.js";

function output(isTTY: boolean): { lines: string[]; write(text: string): void; isTTY: boolean } {
  const lines: string[] = [];
  return { lines, write: (text) => void lines.push(text), isTTY };
}

test("outside a terminal each line is JSON with level, time, message and fields", async () => {
  const target = output(false);
  const logger = (await defaultLogger(new LogThreshold("info"), target)).child({ controller: "foo" });
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

test("in a terminal a line is plain text with key=value fields", async () => {
  const target = output(true);
  (await defaultLogger(new LogThreshold("info"), target))
    .child({ controller: "foo" })
    .info({ key: "default/shop", note: "two words" }, "Reconciled");
  const plain = stripVTControlCharacters(target.lines.join(""));
  expect(plain).toBe(`INFO  Reconciled controller=foo key=default/shop note="two words"\n`);
});

test.each([true, false])(
  "lines below the level are not written (terminal: %s), the level can be changed, and an unknown one is rejected",
  async (isTTY) => {
    const target = output(isTTY);
    const threshold = new LogThreshold("warn");
    const logger = await defaultLogger(threshold, target);
    const child = logger.child({ a: 1 });
    logger.info({}, "quiet");
    child.warn({}, "loud");
    expect(target.lines).toHaveLength(1);
    threshold.set("debug");
    logger.debug({}, "now written");
    child.debug({}, "by children too");
    expect(target.lines).toHaveLength(3);
    expect(() => threshold.set("noisy")).toThrow(`Cannot log at level "noisy"`);
    expect(() => new LogThreshold("noisy" as "info")).toThrow(`Cannot log at level "noisy"`);
    expect(threshold.level).toBe("debug");
  },
);
