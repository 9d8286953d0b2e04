import { parseDuration } from "@kubewright/core/meta";
import { isTimeZone, TimeZone } from "./time-zone.js";

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

/** A recurring schedule. */
export interface CronSchedule {
  /** The first time after `afterMs`, in milliseconds since the epoch; undefined if none comes within five years. */
  next(afterMs: number): number | undefined;
}

const months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const days = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"];

const fieldKinds = [
  { min: 0, max: 59, names: [] },
  { min: 0, max: 23, names: [] },
  { min: 1, max: 31, names: [] },
  { min: 1, max: 12, names: months },
  { min: 0, max: 6, names: days },
] as const;

const descriptors: ReadonlyMap<string, string> = new Map([
  ["@yearly", "0 0 1 1 *"],
  ["@annually", "0 0 1 1 *"],
  ["@monthly", "0 0 1 * *"],
  ["@weekly", "0 0 * * 0"],
  ["@daily", "0 0 * * *"],
  ["@midnight", "0 0 * * *"],
  ["@hourly", "0 * * * *"],
]);

/** The values that one field allows, and whether it is `*`. */
interface Field {
  readonly values: ReadonlySet<number>;
  readonly isAny: boolean;
}

/**
 * Parses a schedule: five fields, a descriptor such as `@hourly`, or `@every 1h30m`. The time zone is that of a `TZ=` or `CRON_TZ=` prefix,
 * else `timeZone`, else UTC. Throws an error whose message is the reason of the rejection.
 */
export function parseSchedule(text: string, timeZone?: string): CronSchedule {
  const [, given, rest = ""] = /^(?:CRON_)?TZ=(\S*)\s+(.*)$/s.exec(text) ?? [undefined, timeZone, text];
  if (given !== undefined && !isTimeZone(given)) throw new Error(`provided bad location ${given}`);
  const spec = rest.trim();
  if (spec.startsWith("@every ")) return every(parseDuration(spec.slice("@every ".length)));
  const fields = (descriptors.get(spec) ?? spec).split(/\s+/);
  if (spec.startsWith("@") && !descriptors.has(spec)) throw new Error(`unrecognized descriptor: ${spec}`);
  if (fields.length !== fieldKinds.length)
    throw new Error(`expected exactly 5 fields, found ${fields.length}: [${fields.join(" ")}]`);
  const [minute, hour, day, month, weekday] = fieldKinds.map((kind, at) => parseField(fields[at] ?? "", kind)) as [
    Field,
    Field,
    Field,
    Field,
    Field,
  ];
  const isDay = (local: Date): boolean => {
    const [byDay, byWeekday] = [day.values.has(local.getUTCDate()), weekday.values.has(local.getUTCDay())];
    return day.isAny || weekday.isAny ? byDay && byWeekday : byDay || byWeekday;
  };
  /** A step that skips no matching time; 0 if this time matches. */
  const stepFrom = (local: Date): number => {
    const ofDay = local.getTime() % dayMs;
    if (!month.values.has(local.getUTCMonth() + 1))
      return Date.UTC(local.getUTCFullYear(), local.getUTCMonth() + 1) - local.getTime();
    if (!isDay(local)) return dayMs - ofDay;
    if (!hour.values.has(local.getUTCHours())) return hourMs - (ofDay % hourMs);
    return minute.values.has(local.getUTCMinutes()) ? 0 : minuteMs;
  };
  const zone = new TimeZone(given);
  return {
    next: (afterMs) => {
      let at = (Math.floor(afterMs / minuteMs) + 1) * minuteMs;
      const lastYear = new Date(zone.localMs(at)).getUTCFullYear() + 5;
      for (;;) {
        const here = zone.localMs(at);
        const local = new Date(here);
        if (local.getUTCFullYear() > lastYear) return undefined;
        const step = stepFrom(local);
        if (step === 0) return at;
        // Uses smaller steps around a daylight-saving change, so that no local time is skipped.
        const steps = [step, dayMs - (here % dayMs), hourMs - (here % hourMs)];
        at += steps.find((one) => one <= step && zone.localMs(at + one) - here === one) ?? minuteMs;
      }
    },
  };
}

/** A constant period, in whole seconds and at least one. */
function every(periodMs: number): CronSchedule {
  const step = Math.max(1_000, periodMs - (periodMs % 1_000));
  return { next: (afterMs) => afterMs + step - (afterMs % 1_000) };
}

function parseField(text: string, kind: (typeof fieldKinds)[number]): Field {
  const values = new Set<number>();
  let isAny = false;
  for (const part of text.split(",").filter((one) => one !== "")) {
    const [range = "", stepText, ...moreSteps] = part.split("/");
    const [low = "", high, ...more] = range.split("-");
    if (moreSteps.length > 0) throw new Error(`too many slashes: ${part}`);
    const isStar = low === "*" || low === "?";
    if (more.length > 0 && !isStar) throw new Error(`too many hyphens: ${part}`);
    const step = stepText === undefined ? 1 : integer(stepText);
    const start = isStar ? kind.min : value(low, kind.names);
    const isOpen = isStar || (high === undefined && stepText !== undefined);
    const end = isOpen ? kind.max : high === undefined ? start : value(high, kind.names);
    if (start < kind.min) throw new Error(`beginning of range (${start}) below minimum (${kind.min}): ${part}`);
    if (end > kind.max) throw new Error(`end of range (${end}) above maximum (${kind.max}): ${part}`);
    if (start > end) throw new Error(`beginning of range (${start}) beyond end of range (${end}): ${part}`);
    if (step === 0) throw new Error(`step of range should be a positive number: ${part}`);
    if (isStar && step === 1) isAny = true;
    for (let one = start; one <= end; one += step) values.add(one);
  }
  return { values, isAny };
}

function value(text: string, names: readonly string[]): number {
  const at = names.indexOf(text.toLowerCase());
  return at < 0 ? integer(text) : at + (names === months ? 1 : 0);
}

function integer(text: string): number {
  if (/^\+?\d{1,9}$/.test(text)) return Number(text);
  throw new Error(`failed to parse int from ${text}: strconv.Atoi: parsing ${JSON.stringify(text)}: invalid syntax`);
}
