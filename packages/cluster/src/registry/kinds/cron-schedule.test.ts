import fc from "fast-check";
import { expect, test } from "vitest";
import { scheduleProblem, zoneProblem } from "./cron-schedule.js";

test.each(["* * * * *", "*/5 0-6 1,15 JAN-mar MON", "@hourly", "@every 1h30m", "0 0 ? * 0/2"])(
  "%s is a schedule",
  (schedule) => {
    expect(scheduleProblem(schedule)).toBeUndefined();
  },
);

test.each([
  ["* * * *", "expected exactly 5 fields, found 4: [* * * *]"],
  ["60 * * * *", "end of range (60) above maximum (59): 60"],
  ["* * 0 * *", "beginning of range (0) below minimum (1): 0"],
  ["5-1 * * * *", "beginning of range (5) beyond end of range (1): 5-1"],
  ["*/0 * * * *", "step of range should be a positive number: */0"],
  ["1-2-3 * * * *", "too many hyphens: 1-2-3"],
  ["@often", "unrecognized descriptor: @often"],
])("%s is no schedule, and the words say why", (schedule, problem) => {
  expect(scheduleProblem(schedule)).toBe(problem);
});

test("time zones are known by their names, in their case", () => {
  expect(zoneProblem("Europe/Berlin")).toBeUndefined();
  expect(zoneProblem("Mars/Base")).toBe("unknown time zone Mars/Base");
});

test("whatever stands in a schedule, it is one or there is a reason why not", () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      const problem = scheduleProblem(text);
      expect(problem === undefined || problem.length > 0).toBe(true);
    }),
  );
});

test("numbers within their bounds make a schedule", () => {
  const minute = fc.integer({ min: 0, max: 59 });
  fc.assert(
    fc.property(minute, minute, fc.integer({ min: 1, max: 100 }), (a, b, step) => {
      const [low, high] = a < b ? [a, b] : [b, a];
      expect(scheduleProblem(`${low}-${high}/${step} * * * *`)).toBeUndefined();
    }),
  );
});
