import { EvalFailure } from "./eval-failure.js";
import { decimal, maxInt, minInt } from "./number.js";
import { DurationValue, TimestampValue } from "./value.js";

const minSeconds = -62_135_596_800;
const maxSeconds = 253_402_300_799;
const billion = 1_000_000_000n;

/** A timestamp in the years 1 to 9999, or an overflow. */
export function timestamp(seconds: number, nanos: number, offsetMinutes = 0): TimestampValue {
  if (!(seconds >= minSeconds && seconds <= maxSeconds)) throw new EvalFailure("timestamp overflow");
  return new TimestampValue(seconds, nanos, offsetMinutes);
}

export function duration(nanos: bigint): DurationValue {
  if (nanos < minInt || nanos > maxInt) throw new EvalFailure("duration overflow");
  return new DurationValue(nanos);
}

export function addDuration(time: TimestampValue, nanos: bigint): TimestampValue {
  const total = nanosOf(time) + nanos;
  const seconds = floorDivide(total, billion);
  return timestamp(Number(seconds), Number(total - seconds * billion), time.offsetMinutes);
}

/** Nanoseconds since 1970. */
export function nanosOf(time: TimestampValue): bigint {
  return BigInt(time.seconds) * billion + BigInt(time.nanos);
}

function floorDivide(value: bigint, divisor: bigint): bigint {
  const quotient = value / divisor;
  return value % divisor < 0n ? quotient - 1n : quotient;
}

const rfc3339 = /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2}):(\d{2})(?:[.,](\d+))?(Z|[+-]\d{2}:\d{2})$/;

/** Reads RFC 3339, or returns undefined. */
export function parseTimestamp(text: string): TimestampValue | undefined {
  const match = rfc3339.exec(text);
  if (match === null) return undefined;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match.slice(1, 7).map(Number);
  if (month < 1 || month > 12 || day < 1 || hour > 23 || minute > 59 || second > 59) return undefined;
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  if (date.getUTCMonth() !== month - 1) return undefined;
  const offsetMinutes = parseOffset(match[8] ?? "Z");
  if (offsetMinutes === undefined) return undefined;
  const seconds = date.getTime() / 1_000 + hour * 3_600 + minute * 60 + second - offsetMinutes * 60;
  const nanos = Number((match[7] ?? "").slice(0, 9).padEnd(9, "0"));
  return timestamp(seconds, nanos, offsetMinutes);
}

function parseOffset(zone: string): number | undefined {
  if (zone === "Z") return 0;
  const [hours = 0, minutes = 0] = zone.slice(1).split(":").map(Number);
  if (hours > 23 || minutes > 59) return undefined;
  return (zone.startsWith("-") ? -1 : 1) * (hours * 60 + minutes) + 0;
}

export function formatTimestamp({ seconds, nanos, offsetMinutes }: TimestampValue): string {
  const date = new Date((seconds + offsetMinutes * 60) * 1_000);
  const year = String(date.getUTCFullYear()).padStart(4, "0");
  const rest = date
    .toISOString()
    .replace(/^[+-]?\d+-/, "")
    .slice(0, 14);
  const fraction = nanos === 0 ? "" : `.${String(nanos).padStart(9, "0").replace(/0+$/, "")}`;
  const sign = offsetMinutes < 0 ? "-" : "+";
  const [hours, minutes] = [Math.trunc(Math.abs(offsetMinutes) / 60), Math.abs(offsetMinutes) % 60];
  const zone =
    offsetMinutes === 0 ? "Z" : `${sign}${String(hours).padStart(2, "0")}:${String(minutes).padStart(2, "0")}`;
  return `${year}-${rest}${fraction}${zone}`;
}

const units: Readonly<Record<string, bigint>> = {
  ns: 1n,
  us: 1_000n,
  µs: 1_000n,
  μs: 1_000n,
  ms: 1_000_000n,
  s: billion,
  m: 60n * billion,
  h: 3_600n * billion,
};

/** Reads a duration as Go does (`1h30m`), or returns undefined. */
export function parseDuration(text: string): DurationValue | undefined {
  const match = /^([+-]?)(0|(?:(?:\d+(?:\.\d*)?|\.\d+)(?:ns|us|µs|μs|ms|s|m|h))+)$/.exec(text);
  if (match === null) return undefined;
  let nanos = 0n;
  for (const [, whole = "", fraction = "", unit = ""] of (match[2] ?? "").matchAll(
    /(\d*)\.?(\d*)(ns|us|µs|μs|ms|s|m|h)/g,
  )) {
    const scale = units[unit] ?? 0n;
    if (whole.replace(/^0+/, "").length > 19) return undefined;
    nanos += BigInt(whole || "0") * scale;
    if (nanos > maxInt + 1n) return undefined;
    // Go drops digits beyond what fits, and what is left of a nanosecond.
    const digits = fraction.slice(0, 18);
    nanos += (BigInt(digits || "0") * scale) / 10n ** BigInt(digits.length);
  }
  const signed = match[1] === "-" ? -nanos : nanos;
  return signed < minInt || signed > maxInt ? undefined : new DurationValue(signed);
}

/** Seconds, with as much of a fraction as a double carries: `1.5s`. */
export function formatDuration({ nanos }: DurationValue): string {
  return `${decimal(Number(nanos / billion) + Number(nanos % billion) / 1e9)}s`;
}
