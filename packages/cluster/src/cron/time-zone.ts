const formats = new Map<string, Intl.DateTimeFormat>();

/** Whether this is the name of an IANA time zone, in the case of its zone file. An offset is not. */
export function isTimeZone(name: string): boolean {
  if (name === "" || name === "UTC") return true;
  if (!/^[A-Z]/.test(name)) return false;
  try {
    formatOf(name);
    return true;
  } catch {
    return false;
  }
}

/** The local time of a time zone, as if it were UTC. The default zone is UTC. */
export function localMs(atMs: number, timeZone: string | undefined): number {
  if (timeZone === undefined || timeZone === "" || timeZone === "UTC") return atMs;
  const parts = new Map(
    formatOf(timeZone)
      .formatToParts(atMs)
      .map(({ type, value }) => [type, Number(value)]),
  );
  const part = (type: Intl.DateTimeFormatPartTypes): number => parts.get(type) ?? 0;
  const shown = Date.UTC(part("year"), part("month") - 1, part("day"), part("hour"), part("minute"), part("second"));
  return shown + (((atMs % 1_000) + 1_000) % 1_000);
}

/** A time in RFC 3339 with the offset of the time zone. */
export function zonedTime(atMs: number, timeZone: string | undefined): string {
  const local = localMs(atMs, timeZone);
  const minutes = Math.round((local - atMs) / 60_000);
  const shown = new Date(local).toISOString().slice(0, 19);
  if (minutes === 0) return `${shown}Z`;
  const two = (number: number): string => String(number).padStart(2, "0");
  const size = Math.abs(minutes);
  return `${shown}${minutes < 0 ? "-" : "+"}${two(Math.floor(size / 60))}:${two(size % 60)}`;
}

/** Creating a format is slow, and the number of zones is bounded. */
function formatOf(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone);
  if (known !== undefined) return known;
  const format = new Intl.DateTimeFormat("en-US", {
    timeZone,
    hourCycle: "h23",
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
    second: "numeric",
  });
  formats.set(timeZone, format);
  return format;
}
