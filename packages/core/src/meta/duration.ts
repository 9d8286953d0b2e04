import { OperatorError } from "../errors/index.js";

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
 * Milliseconds of a duration as Go and Kubernetes write it: `30s`, `1m30s`, `500ms`, `1.5h`, `0`.
 *
 * Throws a CONFIG_INVALID error for anything else.
 */
export function parseDuration(text: string): number {
  const match = /^([+-]?)((?:(?:\d{1,15}(?:\.\d{0,15})?|\.\d{1,15})(?:ns|us|µs|μs|ms|s|m|h)){1,20}|0)$/.exec(text);
  if (match === null) {
    throw new OperatorError(
      "CONFIG_INVALID",
      `Cannot read duration "${text.slice(0, 80)}": write numbers with units, like "30s" or "1m30s"`,
    );
  }
  const [, sign, parts = ""] = match;
  let totalMs = 0;
  for (const [, amount, unit = ""] of parts.matchAll(/([\d.]+)(ns|us|µs|μs|ms|s|m|h)/g)) {
    totalMs += Number(amount) * (unitsMs.get(unit) ?? 0);
  }
  return sign === "-" && totalMs !== 0 ? -totalMs : totalMs;
}
