import fc from "fast-check";
import { expect, test } from "vitest";
import { parseSchedule } from "./cron-schedule.js";
import { isTimeZone, TimeZone } from "./time-zone.js";

const minuteMs = 60_000;
const zones = ["UTC", "Europe/Berlin", "America/New_York", "Asia/Kolkata", "Australia/Lord_Howe", "America/Havana"];

test("next returns the first minute whose local time matches, also across daylight-saving changes", () => {
  const days = fc.constantFrom("*", "*", "29-31", "1,15", "*/2");
  const schedule = fc.tuple(
    fc.nat(59),
    fc.constantFrom("*", "2", "0", "1-3", "*/5"),
    days,
    fc.constantFrom("*", "0", "mon-fri"),
  );
  // Around daylight-saving changes.
  const start = fc.tuple(
    fc.constantFrom("2030-03-09", "2030-03-30", "2030-10-05", "2030-10-26", "2030-11-02"),
    fc.nat(2_000),
  );
  fc.assert(
    fc.property(schedule, fc.constantFrom(...zones), start, ([minute, hour, day, weekday], zone, [date, minutes]) => {
      const after = Date.parse(date) + minutes * minuteMs;
      const next = parseSchedule(`${minute} ${hour} ${day} * ${weekday}`, zone).next(after) ?? 0;
      const timeZone = new TimeZone(zone);
      const fits = (at: number): boolean => {
        const local = new Date(timeZone.localMs(at));
        const [d, w] = [local.getUTCDate(), local.getUTCDay()];
        const byDay = { "*": true, "29-31": d >= 29, "1,15": d === 1 || d === 15, "*/2": d % 2 === 1 }[day];
        const byWeekday = { "*": true, "0": w === 0, "mon-fri": w >= 1 && w <= 5 }[weekday];
        const h = local.getUTCHours();
        const byHour = { "*": true, "2": h === 2, "0": h === 0, "1-3": h >= 1 && h <= 3, "*/5": h % 5 === 0 }[hour];
        const isDay = day === "*" || weekday === "*" ? byDay && byWeekday : byDay || byWeekday;
        return local.getUTCMinutes() === minute && byHour === true && isDay === true;
      };
      expect(fits(next)).toBe(true);
      // Checking each minute of a month would take too long. Two days include the daylight-saving change.
      const until = Math.min(next, after + 2 * 1_440 * minuteMs);
      for (let at = after + minuteMs; at < until; at += minuteMs) if (fits(at)) expect(at).toBe(next);
    }),
    { numRuns: 25 },
  );
});

test.each([
  ["@hourly", "2030-01-01T01:00:00Z"],
  ["@daily", "2030-01-02T00:00:00Z"],
  ["@weekly", "2030-01-06T00:00:00Z"],
  ["@monthly", "2030-02-01T00:00:00Z"],
  ["@yearly", "2031-01-01T00:00:00Z"],
  ["@every 1h30m", "2030-01-01T02:00:00Z"],
  ["15/20 * * * *", "2030-01-01T00:35:00Z"],
  ["0 12 ? feb MON", "2030-02-04T12:00:00Z"],
  ["0 0 29 2 *", "2032-02-29T00:00:00Z"],
  ["TZ=Asia/Tokyo 0 12 * * *", "2030-01-01T03:00:00Z"],
])("%s fires next at %s", (schedule, expected) => {
  expect(parseSchedule(schedule).next(Date.parse("2030-01-01T00:30:00Z"))).toBe(Date.parse(expected));
});

test.each(["* * * * *", "*/5 0-6 1,15 JAN-mar MON", "0 0 ? * 0/2", "@every 0"])("%s is a valid schedule", (text) => {
  expect(() => parseSchedule(text)).not.toThrow();
});

test.each([
  ["* * * *", "expected exactly 5 fields, found 4: [* * * *]"],
  ["60 * * * *", "end of range (60) above maximum (59): 60"],
  ["* * 0 * *", "beginning of range (0) below minimum (1): 0"],
  ["5-1 * * * *", "beginning of range (5) beyond end of range (1): 5-1"],
  ["*/0 * * * *", "step of range should be a positive number: */0"],
  ["1-2-3 * * * *", "too many hyphens: 1-2-3"],
  ["@often", "unrecognized descriptor: @often"],
])("%s is rejected with the reason %s", (schedule, problem) => {
  expect(() => parseSchedule(schedule)).toThrow(problem);
});

test.each(["", "@every often", "x * * * *", "TZ=No/Where * * * * *"])("%j is not a valid schedule", (text) => {
  expect(() => parseSchedule(text)).toThrow();
});

test("rfc3339 prints the offset of the time zone", () => {
  const at = Date.parse("2030-07-01T00:00:00Z");
  expect(new TimeZone().rfc3339(at)).toBe("2030-07-01T00:00:00Z");
  expect(new TimeZone("Asia/Kolkata").rfc3339(at)).toBe("2030-07-01T05:30:00+05:30");
  expect(new TimeZone("America/New_York").rfc3339(at)).toBe("2030-06-30T20:00:00-04:00");
});

test.each([
  ["Europe/Berlin", true],
  ["UTC", true],
  ["europe/berlin", false],
  ["Mars/Base", false],
  ["+01:00", false],
])("isTimeZone(%j) is %j", (name, expected) => {
  expect(isTimeZone(name)).toBe(expected);
});
