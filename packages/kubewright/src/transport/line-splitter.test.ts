import fc from "fast-check";
import { expect, test } from "vitest";
import { LineSplitter } from "./line-splitter.js";

test("lines are preserved for any chunk boundaries and any read timing", () => {
  fc.assert(
    fc.property(
      fc.array(fc.string({ maxLength: 20 }).map((line) => line.replaceAll("\n", " "))),
      fc.array(fc.nat(7), { minLength: 1 }),
      fc.boolean(),
      (lines, cuts, eager) => {
        const bytes = Buffer.from(`${lines.map((line) => `${line}\n`).join("")}rest`);
        const splitter = new LineSplitter();
        const found: string[] = [];
        const drain = () => {
          for (let line = splitter.next(); line !== undefined; line = splitter.next()) found.push(line.toString());
        };
        for (let at = 0, turn = 0; at < bytes.length; turn++) {
          const length = 1 + (cuts[turn % cuts.length] ?? 0);
          splitter.push(bytes.subarray(at, at + length));
          at += length;
          if (eager) drain();
        }
        drain();
        expect(found).toEqual(lines);
        expect(splitter.bytes).toBe(4);
        expect(splitter.rest().toString()).toBe("rest");
        expect(splitter.bytes).toBe(0);
      },
    ),
  );
});

test("a line longer than any object is rejected", () => {
  const splitter = new LineSplitter();
  const mebibyte = Buffer.alloc(1024 * 1024, "a");
  for (let count = 0; count < 16; count++) splitter.push(mebibyte);
  expect(splitter.next()).toBeUndefined();
  splitter.push(Buffer.from("a"));
  expect(() => splitter.next()).toThrow("Cannot read watch event: it is longer than 16777216 bytes");
});
