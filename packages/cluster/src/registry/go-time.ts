/** A time as Go reads it. */
export type GoTime =
  | { readonly kind: "taken"; readonly ms: number; readonly microseconds: string }
  | { readonly kind: "refused"; readonly why: string };

/** Parts of a layout: what they are called, the digits that they may have, their range, and what follows. */
const parts = [
  { name: "2006", digits: /^\d{4}/, min: 0, max: 9999, range: "year", after: "-" },
  { name: "01", digits: /^\d{2}/, min: 1, max: 12, range: "month", after: "-" },
  { name: "02", digits: /^\d{2}/, min: 0, max: 99, range: "day", after: "T" },
  { name: "15", digits: /^\d{1,2}/, min: 0, max: 23, range: "hour", after: ":" },
  { name: "04", digits: /^\d{2}/, min: 0, max: 59, range: "minute", after: ":" },
  { name: "05", digits: /^\d{2}/, min: 0, max: 59, range: "second", after: "" },
] as const;

/** Reads a time to the second, with any fraction or none; to the microsecond, with all six digits, where `isMicro`. */
export function parseGoTime(text: string, isMicro: boolean): GoTime {
  const layout = `2006-01-02T15:04:05${isMicro ? ".000000" : ""}Z07:00`;
  const unread = (rest: string, part: string): GoTime => ({
    kind: "refused",
    why: `parsing time ${JSON.stringify(text)} as "${layout}": cannot parse ${JSON.stringify(rest)} as "${part}"`,
  });
  const odd = (what: string): GoTime => ({ kind: "refused", why: `parsing time ${JSON.stringify(text)}: ${what}` });
  const numbers: number[] = [];
  let rest = text;
  for (const { name, digits, min, max, range, after } of parts) {
    const found = digits.exec(rest)?.[0];
    if (found === undefined) return unread(rest, name);
    rest = rest.slice(found.length);
    const number = Number(found);
    if (number < min || number > max) return odd(`${range} out of range`);
    numbers.push(number);
    if (!rest.startsWith(after)) return unread(rest, after);
    rest = rest.slice(after.length);
  }
  const fraction = (isMicro ? /^[.,]\d{6}/ : /^[.,]\d+/).exec(rest)?.[0] ?? "";
  if (isMicro && fraction === "") return unread(rest, ".000000");
  rest = rest.slice(fraction.length);
  const zone = /^(?:Z|([+-])(\d\d):(\d\d))/.exec(rest);
  if (zone === null) return unread(rest, "Z07:00");
  rest = rest.slice(zone[0].length);
  const [hours, minutes] = [Number(zone[2] ?? 0), Number(zone[3] ?? 0)];
  if (hours > 24) return odd("time zone offset hour out of range");
  if (minutes > 60) return odd("time zone offset minute out of range");
  if (rest !== "") return odd(`extra text: ${JSON.stringify(rest)}`);
  const [year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0] = numbers;
  if (day < 1 || day > new Date(Date.UTC(2000 + (year % 400), month, 0)).getUTCDate()) return odd("day out of range");
  const local = new Date(0);
  local.setUTCFullYear(year, month - 1, day);
  local.setUTCHours(hour, minute, second, Number(fraction.slice(1, 4).padEnd(3, "0")));
  const ahead = (hours * 60 + minutes) * (zone[1] === "-" ? -1 : 1);
  return { kind: "taken", ms: local.getTime() - ahead * 60_000, microseconds: fraction.slice(1, 7).padEnd(6, "0") };
}
