import { expect, test } from "vitest";
import { parseTime } from "./time.js";

test.each([
  ["2026-01-01T00:00:00Z", "2026-01-01T00:00:00.000Z"],
  ["2026-01-01T02:00:00+02:00", "2026-01-01T00:00:00.000Z"],
  ["2025-12-31T22:30:00-01:30", "2026-01-01T00:00:00.000Z"],
  ["2026-01-01T1:00:00.25Z", "2026-01-01T01:00:00.250Z"],
  ["2024-02-29T00:00:00Z", "2024-02-29T00:00:00.000Z"],
  ["0001-01-01T00:00:00Z", "0001-01-01T00:00:00.000Z"],
])("%s is parsed", (text, expected) => {
  const parsed = parseTime(text, false);
  expect(parsed.kind === "accepted" && new Date(parsed.ms).toISOString()).toBe(expected);
});

test.each([
  ["", "cannot parse"],
  ["2026-01-01", "cannot parse"],
  ["2026-01-01T00:00:00", "cannot parse"],
  ["2026-01-01T00:00:00Zx", "cannot parse"],
  ["2026-13-01T00:00:00Z", "out of range"],
  ["2026-00-01T00:00:00Z", "out of range"],
  ["2026-02-29T00:00:00Z", "out of range"],
  ["2026-01-01T24:00:00Z", "out of range"],
  ["2026-01-01T00:60:00Z", "out of range"],
  ["2026-01-01T00:00:00+25:00", "out of range"],
])("%s is rejected with a message that quotes it", (text, why) => {
  const parsed = parseTime(text, false);
  const message = `parsing time ${JSON.stringify(text)} as "2006-01-02T15:04:05Z07:00": ${why}`;
  expect(parsed).toEqual({ kind: "rejected", why: message });
});

test("a MicroTime must have six fraction digits", () => {
  expect(parseTime("2026-01-01T00:00:00Z", true)).toEqual({
    kind: "rejected",
    why: 'parsing time "2026-01-01T00:00:00Z" as "2006-01-02T15:04:05.000000Z07:00": cannot parse',
  });
});
