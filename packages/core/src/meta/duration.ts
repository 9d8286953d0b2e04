import { OperatorError } from "../errors/index.js";

/**
 * A time span as Go and Kubernetes write it: `"500ms"`, `"30s"`, `"1m30s"`, `"2h"`; `"0s"` is zero.
 *
 * The type rejects other spellings, such as `"5 minutes"`; {@link parseDuration} rejects what the type lets through. A computed span is
 * written with its unit: `` `${leftMs}ms` ``. A string that is known only at run time passes through {@link asDuration}.
 */
export type Duration =
  | `${number}${"ms" | "s" | "m" | "h"}`
  | `${number}s${number}ms`
  | `${number}m${number}s`
  | `${number}h${number}m`
  | `${number}h${number}s`
  | `${number}h${number}m${number}s`;

const unitsMs: ReadonlyMap<string, number> = new Map([
  ["ns", 1e-6],
  ["us", 1e-3],
  ["µs", 1e-3],
  ["μs", 1e-3],
  ["ms", 1],
  ["s", 1_000],
  ["m", 60_000],
  ["h", 3_600_000],
]);

/**
 * The milliseconds of a duration in Go's format: `30s`, `1m30s`, `500ms`, `1.5h`, `0`.
 *
 * Throws CONFIG_INVALID for any other string.
 */
export function parseDuration(text: string): number {
  const ms = parsed(text);
  if (ms !== undefined) return ms;
  throw new OperatorError(
    "CONFIG_INVALID",
    `Cannot read duration "${text.slice(0, 80)}": write numbers with units, like "30s" or "1m30s"`,
  );
}

function parsed(text: string): number | undefined {
  const match = /^([+-]?)((?:(?:\d{1,15}(?:\.\d{0,20})?|\.\d{1,20})(?:ns|us|µs|μs|ms|s|m|h)){1,20}|0)$/.exec(text);
  if (match === null) return undefined;
  const [, sign, parts = ""] = match;
  let totalMs = 0;
  for (const [, amount, unit = ""] of parts.matchAll(/([\d.]+)(ns|us|µs|μs|ms|s|m|h)/g)) {
    totalMs += Number(amount) * (unitsMs.get(unit) ?? 0);
  }
  return sign === "-" && totalMs !== 0 ? -totalMs : totalMs;
}

/**
 * The milliseconds of an option that is a {@link Duration}, parsed once where the option enters.
 *
 * Throws CONFIG_INVALID, with the option's name, when it is not in Go's format or is negative.
 */
export function durationMs(option: string, duration: Duration): number {
  const ms = typeof duration === "string" ? parsed(duration) : undefined;
  if (ms !== undefined && ms >= 0) return ms;
  throw new OperatorError(
    "CONFIG_INVALID",
    `Cannot use ${JSON.stringify(duration)} as "${option}": it must be a duration such as "30s" or "1m30s", and not negative`,
  );
}

/**
 * Checks a string that is known only at run time, such as a flag or a field of a spec, and returns it as a {@link Duration}.
 *
 * Throws CONFIG_INVALID when it is not in Go's format.
 */
export function asDuration(text: string): Duration {
  parseDuration(text);
  return text as Duration;
}
