/** A time zone by its IANA name; the default is UTC. The constructor throws a RangeError for an unknown name. */
export class TimeZone {
  /** Undefined for UTC. */
  readonly #format: Intl.DateTimeFormat | undefined;

  constructor(name = "") {
    if (name === "" || name === "UTC") return;
    this.#format = new Intl.DateTimeFormat("en-US", {
      timeZone: name,
      hourCycle: "h23",
      year: "numeric",
      month: "numeric",
      day: "numeric",
      hour: "numeric",
      minute: "numeric",
      second: "numeric",
    });
  }

  /** The local time, as if it were UTC. */
  localMs(atMs: number): number {
    if (this.#format === undefined) return atMs;
    const parts = new Map(this.#format.formatToParts(atMs).map(({ type, value }) => [type, Number(value)]));
    const part = (type: Intl.DateTimeFormatPartTypes): number => parts.get(type) ?? 0;
    const shown = Date.UTC(part("year"), part("month") - 1, part("day"), part("hour"), part("minute"), part("second"));
    return shown + (((atMs % 1_000) + 1_000) % 1_000);
  }

  /** A time in RFC 3339 with the offset of this time zone. */
  rfc3339(atMs: number): string {
    const local = this.localMs(atMs);
    const minutes = Math.round((local - atMs) / 60_000);
    const shown = new Date(local).toISOString().slice(0, 19);
    if (minutes === 0) return `${shown}Z`;
    const two = (number: number): string => String(number).padStart(2, "0");
    const size = Math.abs(minutes);
    return `${shown}${minutes < 0 ? "-" : "+"}${two(Math.floor(size / 60))}:${two(size % 60)}`;
  }
}

/** Whether this is the name of an IANA time zone. An offset is not. */
export function isTimeZone(name: string): boolean {
  if (name === "") return true;
  if (!/^[A-Z]/.test(name)) return false;
  try {
    new TimeZone(name);
    return true;
  } catch {
    return false;
  }
}
