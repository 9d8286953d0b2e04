/** One of the five fields of a schedule: its bounds, and names for its numbers. */
interface FieldBounds {
  readonly min: number;
  readonly max: number;
  readonly names: readonly string[];
}

const months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const days = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"];
const fields: readonly FieldBounds[] = [
  { min: 0, max: 59, names: [] },
  { min: 0, max: 23, names: [] },
  { min: 1, max: 31, names: [] },
  { min: 1, max: 12, names: months },
  { min: 0, max: 6, names: days },
];
const descriptors = ["@yearly", "@annually", "@monthly", "@weekly", "@daily", "@midnight", "@hourly"];

/** What is wrong with a schedule of cron, in the words of the library that a real server uses; undefined when nothing is. */
export function scheduleProblem(text: string): string | undefined {
  const zone = /^(?:TZ|CRON_TZ)=(\S*)\s*(.*)$/s.exec(text);
  const schedule = (zone ? (zone[2] ?? "") : text).trim();
  if (zone && zoneProblem(zone[1] ?? "") !== undefined)
    return `provided bad location ${zone[1]}: ${zoneProblem(zone[1] ?? "")}`;
  if (schedule.startsWith("@")) return descriptorProblem(schedule);
  const parts = schedule.split(/\s+/).filter((part) => part !== "");
  if (parts.length !== fields.length)
    return `expected exactly ${fields.length} fields, found ${parts.length}: [${parts.join(" ")}]`;
  for (const [index, bounds] of fields.entries()) {
    const problem = fieldProblem(parts[index] ?? "", bounds);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

/** What is wrong with the name of a time zone; undefined when nothing is. */
export function zoneProblem(name: string): string | undefined {
  if (name === "" || name === "UTC" || name === "Local") return undefined;
  try {
    new Intl.DateTimeFormat("en", { timeZone: name });
    // Go takes names as the zone files are called: in their case, and no offsets.
    if (/^[A-Z]/.test(name) && !/^[+-]/.test(name)) return undefined;
  } catch {
    // Told below.
  }
  return `unknown time zone ${name}`;
}

function descriptorProblem(text: string): string | undefined {
  if (descriptors.includes(text)) return undefined;
  const every = /^@every (.*)$/.exec(text)?.[1];
  if (every === undefined) return `unrecognized descriptor: ${text}`;
  if (/^[+-]?(\d+(\.\d*)?(ns|us|µs|ms|s|m|h))+$/.test(every) || every === "0") return undefined;
  return `failed to parse duration ${text}: time: invalid duration ${JSON.stringify(every)}`;
}

function fieldProblem(field: string, bounds: FieldBounds): string | undefined {
  for (const range of field.split(",").filter((part) => part !== "")) {
    const problem = rangeProblem(range, bounds);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function rangeProblem(range: string, { min, max, names }: FieldBounds): string | undefined {
  const [span = "", step, ...more] = range.split("/");
  const [low = "", high, ...rest] = span.split("-");
  let start = min;
  let end = max;
  if (low !== "*" && low !== "?") {
    const first = numberOf(low, names);
    if (typeof first === "string") return first;
    start = first;
    if (high === undefined) end = start;
    else if (rest.length > 0) return `too many hyphens: ${range}`;
    else {
      const last = numberOf(high, names);
      if (typeof last === "string") return last;
      end = last;
    }
  }
  let by = 1;
  if (more.length > 0) return `too many slashes: ${range}`;
  if (step !== undefined) {
    const parsed = numberOf(step, []);
    if (typeof parsed === "string") return parsed;
    by = parsed;
    if (high === undefined && low !== "*" && low !== "?") end = max;
  }
  if (start < min) return `beginning of range (${start}) below minimum (${min}): ${range}`;
  if (end > max) return `end of range (${end}) above maximum (${max}): ${range}`;
  if (start > end) return `beginning of range (${start}) beyond end of range (${end}): ${range}`;
  return by === 0 ? `step of range should be a positive number: ${range}` : undefined;
}

/** The number, or what is wrong with it. */
function numberOf(text: string, names: readonly string[]): number | string {
  const named = names.indexOf(text.toLowerCase());
  // Months count from one, days from zero.
  if (named >= 0) return names.length === 12 ? named + 1 : named;
  if (!/^[+-]?\d+$/.test(text))
    return `failed to parse int from ${text}: strconv.Atoi: parsing ${JSON.stringify(text)}: invalid syntax`;
  const value = Number(text);
  return value < 0 ? `negative number (${value}) not allowed: ${text}` : value;
}
