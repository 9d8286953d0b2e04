/** A parsed timestamp, or the parse error. */
export type ParsedTime =
  | { readonly kind: "accepted"; readonly ms: number; readonly microseconds: string }
  | { readonly kind: "rejected"; readonly why: string };

const pattern = /^(\d{4})-(\d\d)-(\d\d)T(\d{1,2}):(\d\d):(\d\d)([.,]\d+)?(?:Z|([+-])(\d\d):(\d\d))$/;

/** Parses an RFC 3339 timestamp with an optional fraction; with `isMicro` the fraction must have six digits. */
export function parseTime(text: string, isMicro: boolean): ParsedTime {
  const layout = `2006-01-02T15:04:05${isMicro ? ".000000" : ""}Z07:00`;
  const rejected = (why: string): ParsedTime => ({
    kind: "rejected",
    why: `parsing time ${JSON.stringify(text)} as ${JSON.stringify(layout)}: ${why}`,
  });
  const found = pattern.exec(text);
  const fraction = (found?.[7] ?? "").slice(1);
  if (found === null || (isMicro && fraction.length !== 6)) return rejected("cannot parse");
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = found.slice(1, 7).map(Number);
  const local = new Date(0);
  local.setUTCFullYear(year, month - 1, day);
  local.setUTCHours(hour, minute, second, Number(fraction.slice(0, 3).padEnd(3, "0")));
  // A Date turns 31 February into a day in March.
  const isInRange = local.getUTCMonth() === month - 1 && local.getUTCDate() === day && minute < 60 && second < 60;
  const [, sign, hours, minutes] = found.slice(7);
  const offset = Number(hours ?? 0) * 60 + Number(minutes ?? 0);
  if (!isInRange || hour > 23 || offset > 24 * 60) return rejected("out of range");
  const ms = local.getTime() - (sign === "-" ? -offset : offset) * 60_000;
  return { kind: "accepted", ms, microseconds: fraction.slice(0, 6).padEnd(6, "0") };
}
