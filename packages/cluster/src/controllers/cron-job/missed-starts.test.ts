import { expect, test } from "vitest";
import { parseSchedule } from "../../cron/index.js";
import { dueStart, nextStartInMs } from "./missed-starts.js";

const minuteMs = 60_000;

test("dueStart returns the last missed start and whether many were missed, and throws for a schedule that never fires", () => {
  const [createdMs, lastMs, deadlineSeconds] = [Date.parse("2030-01-01T00:00:30Z"), undefined, undefined];
  const window = { createdMs, lastMs, deadlineSeconds };
  const minutely = parseSchedule("* * * * *");
  const after = (minutes: number) => dueStart(window, minutely, createdMs + minutes * minuteMs);
  expect(after(0)).toMatchObject({ dueMs: undefined, missed: "none" });
  expect(after(1)).toMatchObject({ dueMs: createdMs + 30_000, missed: "none" });
  expect(after(50)).toMatchObject({ dueMs: createdMs + 49 * minuteMs + 30_000, missed: "few" });
  expect(after(500)).toMatchObject({ dueMs: createdMs + 499 * minuteMs + 30_000, missed: "many" });
  expect(nextStartInMs(window, minutely, createdMs)).toBe(30_100);
  const never = parseSchedule("0 0 30 2 *");
  expect(() => dueStart(window, never, createdMs)).toThrow("time difference between two schedules");
  expect(nextStartInMs(window, never, createdMs)).toBeUndefined();
});
