import { type FunctionDecl, member } from "../check/overload.js";
import { durationType, intType, stringType, timestampType } from "../types/cel-type.js";
import { EvalFailure } from "../values/eval-failure.js";
import { intFromBigInt } from "../values/number.js";
import type { TimestampValue } from "../values/value.js";
import { work } from "../values/work.js";

/** A moment as a clock on the wall shows it: a date whose UTC fields are those of a zone. */
function wallClock(time: TimestampValue, zone: string): Date {
  const utc = new Date(time.seconds * 1_000 + Math.trunc(time.nanos / 1_000_000));
  const offset = zone === "UTC" ? 0 : offsetSeconds(utc, zone);
  return offset === 0 ? utc : new Date(utc.getTime() + offset * 1_000);
}

function offsetSeconds(utc: Date, zone: string): number {
  const fixed = /^([+-]?)(\d{1,2}):(\d{1,2})$/.exec(zone);
  if (fixed !== null) {
    const seconds = Number(fixed[2]) * 3_600 + Number(fixed[3]) * 60;
    return fixed[1] === "-" ? -seconds : seconds;
  }
  work(3_000);
  const parts = new Map(
    zoneFormat(zone)
      .formatToParts(utc)
      .map(({ type, value }) => [type, Number(value)]),
  );
  const part = (name: Intl.DateTimeFormatPartTypes): number => parts.get(name) ?? 0;
  const shown = Date.UTC(part("year"), part("month") - 1, part("day"), part("hour"), part("minute"), part("second"));
  return Math.round((shown - Math.trunc(utc.getTime() / 1_000) * 1_000) / 1_000);
}

const formats = new Map<string, Intl.DateTimeFormat | undefined>();
const maxFormats = 2_000;
const longestZone = 100;

function zoneFormat(zone: string): Intl.DateTimeFormat {
  if (!formats.has(zone)) {
    if (formats.size >= maxFormats) formats.clear();
    formats.set(zone, zone.length > longestZone ? undefined : createFormat(zone));
  }
  const format = formats.get(zone);
  if (format === undefined) throw new EvalFailure(`unknown time zone ${zone}`);
  return format;
}

/** Undefined for a zone that does not exist. */
function createFormat(zone: string): Intl.DateTimeFormat | undefined {
  try {
    const numeric = { year: "numeric", month: "numeric", day: "numeric", hour: "numeric" } as const;
    return new Intl.DateTimeFormat("en-US", {
      ...numeric,
      minute: "numeric",
      second: "numeric",
      hourCycle: "h23",
      calendar: "iso8601",
      timeZone: zone === "" ? "UTC" : zone,
    });
  } catch {
    return undefined;
  }
}

function dayOfYear(date: Date): number {
  return Math.round(
    (Date.UTC(2000 + (date.getUTCFullYear() % 400), date.getUTCMonth(), date.getUTCDate()) -
      Date.UTC(2000 + (date.getUTCFullYear() % 400), 0, 1)) /
      86_400_000,
  );
}

function part(name: string, id: string, read: (date: Date) => number): FunctionDecl {
  return {
    name,
    overloads: [
      member(id, [timestampType], intType, (time) => read(wallClock(time, "UTC"))),
      member(`${id}_with_tz`, [timestampType, stringType], intType, (time, zone) => read(wallClock(time, zone))),
    ],
  };
}

/** A part of a moment that is also a measure of a duration. */
function measure(name: string, unit: string, nanos: bigint, read: (date: Date) => number): FunctionDecl {
  const { overloads } = part(name, `timestamp_to_${unit}`, read);
  const total = member(`duration_to_${unit}`, [durationType], intType, (given) => intFromBigInt(given.nanos / nanos));
  return { name, overloads: [...overloads, total] };
}

/** The parts of timestamps, in UTC or in a zone, and of durations. */
export const timeFunctions: readonly FunctionDecl[] = [
  part("getFullYear", "timestamp_to_year", (date) => date.getUTCFullYear()),
  part("getMonth", "timestamp_to_month", (date) => date.getUTCMonth()),
  part("getDayOfYear", "timestamp_to_day_of_year", dayOfYear),
  part("getDayOfMonth", "timestamp_to_day_of_month", (date) => date.getUTCDate() - 1),
  part("getDate", "timestamp_to_day_of_month_1_based", (date) => date.getUTCDate()),
  part("getDayOfWeek", "timestamp_to_day_of_week", (date) => date.getUTCDay()),
  measure("getHours", "hours", 3_600_000_000_000n, (date) => date.getUTCHours()),
  measure("getMinutes", "minutes", 60_000_000_000n, (date) => date.getUTCMinutes()),
  measure("getSeconds", "seconds", 1_000_000_000n, (date) => date.getUTCSeconds()),
  measure("getMilliseconds", "milliseconds", 1_000_000n, (date) => date.getUTCMilliseconds()),
];
