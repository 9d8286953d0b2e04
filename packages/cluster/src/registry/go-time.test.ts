import { expect, test } from "vitest";
import { parseGoTime } from "./go-time.js";

test.each([
  ["2026-01-01T00:00:00Z", "2026-01-01T00:00:00.000Z"],
  ["2026-01-01T02:00:00+02:00", "2026-01-01T00:00:00.000Z"],
  ["2026-01-01T1:00:00.25Z", "2026-01-01T01:00:00.250Z"],
  ["2024-02-29T00:00:00Z", "2024-02-29T00:00:00.000Z"],
])("Go reads the time %s", (text, expected) => {
  const read = parseGoTime(text, false);
  expect(read.kind === "taken" && new Date(read.ms).toISOString()).toBe(expected);
});

test.each([
  ["", 'as "2006-01-02T15:04:05Z07:00": cannot parse "" as "2006"'],
  ["2026-01-01", 'as "2006-01-02T15:04:05Z07:00": cannot parse "" as "T"'],
  ["2026-13-01T00:00:00Z", ": month out of range"],
  ["2026-02-29T00:00:00Z", ": day out of range"],
  ["2026-01-01T00:00:00", 'as "2006-01-02T15:04:05Z07:00": cannot parse "" as "Z07:00"'],
  ["2026-01-01T00:00:00Zx", ': extra text: "x"'],
])("Go tells why %s is no time", (text, why) => {
  const read = parseGoTime(text, false);
  expect(read.kind === "refused" && read.why).toBe(
    `parsing time ${JSON.stringify(text)}${why.startsWith(":") ? "" : " "}${why}`,
  );
});

test("a time to the microsecond has all six digits", () => {
  expect(parseGoTime("2026-01-01T00:00:00Z", true)).toEqual({
    kind: "refused",
    why: 'parsing time "2026-01-01T00:00:00Z" as "2006-01-02T15:04:05.000000Z07:00": cannot parse "Z" as ".000000"',
  });
});
