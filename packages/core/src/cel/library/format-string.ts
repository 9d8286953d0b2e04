import { goQuote } from "../../json/index.js";
import { EvalFailure } from "../values/eval-failure.js";
import { formatDouble } from "../values/number.js";
import { formatDuration, formatTimestamp } from "../values/time.js";
import { typeOf } from "../values/type-of.js";
import {
  type CelValue,
  DoubleValue,
  DurationValue,
  elementsOf,
  ListValue,
  MapValue,
  TimestampValue,
  TypeValue,
  UintValue,
} from "../values/value.js";
import { work } from "../values/work.js";

/** A clause such as `%.2f`, for the argument at `index`. */
export interface Clause {
  readonly verb: string;
  readonly precision: number | undefined;
  readonly index: number;
}

/** What a clause may be given, as messages say it, by its verb. */
export const clauseProblems: Readonly<Record<string, string>> = {
  b: "only integers and bools can be formatted as binary",
  d: "decimal clause can only be used on integers",
  e: "scientific clause can only be used on doubles",
  f: "fixed-point clause can only be used on doubles",
  o: "octal clause can only be used on integers",
  s: "string clause can only be used on strings, bools, bytes, ints, doubles, maps, lists, types, durations, and timestamps",
  x: "only integers, byte buffers, and strings can be formatted as hex",
};

/** Longer ones have a precision that no printer accepts. */
const longestClause = 1_000;

/** Replaces each clause of a format by what `format` returns for it. */
export function replaceClauses(text: string, count: number, format: (clause: Clause) => string): string {
  let built = "";
  let index = 0;
  for (let at = 0; at < text.length; ) {
    const next = text.indexOf("%", at);
    if (next !== at) {
      built += text.slice(at, next < 0 ? undefined : next);
      at = next < 0 ? text.length : next;
    } else if (text.charAt(at + 1) === "%") {
      built += "%";
      at += 2;
    } else {
      if (at + 1 >= text.length)
        throw new EvalFailure(index < count ? "unexpected end of string" : `index ${index} out of range`);
      if (index >= count) throw new EvalFailure(`index ${index} out of range`);
      const { verb, precision, length } = readClause(text.slice(at + 1, at + 1 + longestClause));
      const made = format({ verb, precision, index });
      work(made.length * 5 + 20);
      built += made;
      index++;
      at += 1 + length;
    }
  }
  return built;
}

function readClause(text: string): {
  readonly verb: string;
  readonly precision: number | undefined;
  readonly length: number;
} {
  const problem = "could not parse formatting clause: ";
  const [, dot, digits = ""] = /^(\.)?(\d*)/.exec(dotted(text)) ?? [];
  const length = dot === undefined ? 0 : 1 + digits.length;
  if (dot !== undefined && length >= text.length) {
    throw new EvalFailure(`${problem}error while parsing precision: could not find end of precision specifier`);
  }
  if (dot !== undefined && digits === "") {
    const cause = 'error while converting precision to integer: strconv.Atoi: parsing "": invalid syntax';
    throw new EvalFailure(`${problem}error while parsing precision: ${cause}`);
  }
  const verb = text.charAt(length);
  if (!"sdfebxXo".includes(verb)) throw new EvalFailure(`${problem}unrecognized formatting clause "${verb}"`);
  return { verb, precision: dot === undefined ? undefined : Number(digits), length: length + 1 };
}

/** Digits count as a precision after a dot only. */
function dotted(text: string): string {
  return text.startsWith(".") ? text : "";
}

/** `text.format(args)`. */
export function formatString(text: string, args: ListValue): string {
  return replaceClauses(text, args.length, ({ verb, precision, index }) => {
    const value = args.at(index);
    const formatted = formatClause(verb, precision, value);
    if (formatted !== undefined) return formatted;
    const problem = clauseProblems[verb.toLowerCase()] ?? "";
    throw new EvalFailure(`error during formatting: ${problem}, was given ${typeOf(value).name}`);
  });
}

/** Undefined when the value is of a type that the clause does not take. */
function formatClause(verb: string, precision: number | undefined, value: CelValue): string | undefined {
  switch (verb) {
    case "s":
      return formatAny(value);
    case "d":
      return integerOf(value)?.toString();
    case "b":
      return typeof value === "boolean" ? String(Number(value)) : integerOf(value)?.toString(2);
    case "o":
      return integerOf(value)?.toString(8);
    case "x":
    case "X": {
      const hex = hexOf(value);
      return verb === "X" ? hex?.toUpperCase() : hex;
    }
    case "f":
      return numberOf(value, (given) => fixedPoint(given, precision ?? 6));
    default:
      return numberOf(value, (given) => scientific(given).padStart(precision ?? 6));
  }
}

function integerOf(value: CelValue): number | bigint | undefined {
  if (value instanceof UintValue) return value.value;
  return typeof value === "number" || typeof value === "bigint" ? value : undefined;
}

function hexOf(value: CelValue): string | undefined {
  if (typeof value === "string" || value instanceof Uint8Array) return Buffer.from(value).toString("hex");
  return integerOf(value)?.toString(16);
}

function numberOf(value: CelValue, format: (value: number) => string): string | undefined {
  const given = typeof value === "string" && /^(NaN|-?Infinity)$/.test(value) ? Number(value) : value;
  const number =
    given instanceof DoubleValue
      ? given.value
      : typeof given === "number" && !Number.isInteger(given)
        ? given
        : undefined;
  if (number === undefined) return undefined;
  if (Number.isFinite(number)) return format(number);
  return Number.isNaN(number) ? "NaN" : number > 0 ? "∞" : "-∞";
}

/** With commas between thousands. */
function fixedPoint(value: number, precision: number): string {
  const [whole = "", fraction] = plainFixed(value, precision).split(".");
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ",");
  return fraction === undefined ? grouped : `${grouped}.${fraction}`;
}

/** JavaScript rounds halves up and leaves out digits of large numbers; Go rounds to the nearest even digit of the exact value. */
function plainFixed(value: number, precision: number): string {
  work(precision);
  const exact = exactDecimal(Math.abs(value));
  work(exact.places * 10);
  const digits = exact.digits;
  const scale = 10n ** BigInt(exact.places > precision ? exact.places - precision : 0);
  let rounded = digits / scale;
  const rest = (digits % scale) * 2n;
  if (rest > scale || (rest === scale && rounded % 2n === 1n)) rounded++;
  if (exact.places < precision) rounded *= 10n ** BigInt(precision - exact.places);
  const text = String(rounded).padStart(precision + 1, "0");
  const sign = value < 0 || Object.is(value, -0) ? "-" : "";
  const point = text.length - precision;
  return sign + (precision === 0 ? text : `${text.slice(0, point)}.${text.slice(point)}`);
}

/** A double is a whole number divided by a power of two: its decimal digits end. */
function exactDecimal(value: number): { readonly digits: bigint; readonly places: number } {
  let places = 0;
  let scaled = value;
  while (!Number.isInteger(scaled)) {
    scaled *= 2;
    places++;
  }
  return { digits: BigInt(scaled) * 5n ** BigInt(places), places };
}

const superscripts = "⁰¹²³⁴⁵⁶⁷⁸⁹";

/** Six digits and a power of ten, as Go's message printer writes it in English. */
function scientific(value: number): string {
  const [digits = "", power = ""] = value.toExponential(6).split("e");
  const exponent = power
    .slice(1)
    .padStart(2, "0")
    .replace(/\d/g, (digit) => superscripts.charAt(Number(digit)));
  return `${digits}×10${power.startsWith("-") ? "⁻" : ""}${exponent}`;
}

function formatAny(value: CelValue): string | undefined {
  if (typeof value === "string") return value;
  if (value instanceof DoubleValue) return formatDouble(value.value);
  if (value instanceof UintValue) return String(value.value);
  if (value instanceof Uint8Array) return Buffer.from(value).toString("utf8");
  if (value instanceof TimestampValue) return formatTimestamp(value);
  if (value instanceof DurationValue) return formatDuration(value);
  if (value instanceof TypeValue) return value.type.name;
  if (value instanceof ListValue) return `[${elementsOf(value).map(formatNested).join(", ")}]`;
  if (value instanceof MapValue) {
    const pairs = value.keys().map((key) => [formatNested(key), formatNested(value.get(key) ?? null)] as const);
    return `{${pairs
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, entry]) => `${key}:${entry}`)
      .join(", ")}}`;
  }
  return value === null || typeof value !== "object" ? String(value) : undefined;
}

/** As in a list: strings are quoted, and types are visible. */
function formatNested(value: CelValue): string {
  work(typeof value === "string" ? value.length * 10 : 20);
  if (typeof value === "string") return goQuote(value);
  if (value instanceof Uint8Array) return `b${goQuote(Buffer.from(value).toString("utf8"))}`;
  if (value instanceof TimestampValue) return `timestamp(${goQuote(formatTimestamp(value))})`;
  if (value instanceof DurationValue) return `duration(${goQuote(formatDuration(value))})`;
  if (value instanceof DoubleValue) {
    if (Number.isFinite(value.value)) return plainFixed(value.value, 6);
    return goQuote(Number.isNaN(value.value) ? "NaN" : value.value > 0 ? "+Inf" : "-Inf");
  }
  const formatted = formatAny(value);
  if (formatted === undefined) {
    throw new EvalFailure(`error during formatting: no formatting function for ${typeOf(value).name}`);
  }
  return formatted;
}
