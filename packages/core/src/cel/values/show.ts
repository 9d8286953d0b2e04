import { goQuote } from "../../json/index.js";
import { formatDouble } from "./number.js";
import { formatDuration, formatTimestamp } from "./time.js";
import {
  type CelValue,
  DoubleValue,
  DurationValue,
  elementsOf,
  ListValue,
  MapValue,
  OptionalValue,
  TimestampValue,
  TypeValue,
  UintValue,
} from "./value.js";
import { work } from "./work.js";

/** A value for people: in messages and test data. Maps are sorted by key. */
export function showValue(value: CelValue): string {
  if (typeof value === "string") {
    work(value.length * 5);
    return goQuote(value);
  }
  if (value instanceof DoubleValue) return formatDouble(value.value);
  if (value instanceof UintValue) return String(value.value);
  if (value instanceof Uint8Array) return Buffer.from(value).toString("base64");
  if (value instanceof TimestampValue) return formatTimestamp(value);
  if (value instanceof DurationValue) return formatDuration(value);
  if (value instanceof OptionalValue) return value.value === undefined ? "none" : `of(${showValue(value.value)})`;
  if (value instanceof ListValue) return `[${elementsOf(value).map(showValue).join(", ")}]`;
  if (value instanceof TypeValue) return value.type.name;
  if (!(value instanceof MapValue)) return String(value);
  const entries = value.keys().map((key) => `${showValue(key)}: ${showValue(value.get(key) ?? null)}`);
  return `{${entries.sort().join(", ")}}`;
}
