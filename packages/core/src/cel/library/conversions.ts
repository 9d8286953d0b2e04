import { type FunctionDecl, type Overload, overload } from "../check/overload.js";
import type { EstimateCall } from "../cost/estimate.js";
import { scale } from "../cost/estimate.js";
import {
  boolType,
  bytesType,
  type CelType,
  doubleType,
  durationType,
  dynType,
  intType,
  paramType,
  stringType,
  type TypeOf,
  timestampType,
  typeOfType,
  uintType,
} from "../types/cel-type.js";
import { EvalFailure } from "../values/eval-failure.js";
import {
  double,
  formatDouble,
  intFromBigInt,
  intFromDouble,
  maxInt,
  maxUint,
  minInt,
  uintFromBigInt,
  uintFromDouble,
} from "../values/number.js";
import { stringFactor, traversal } from "../values/sizes.js";
import { formatDuration, formatTimestamp, parseDuration, parseTimestamp, timestamp } from "../values/time.js";
import { typeOf } from "../values/type-of.js";
import { type CelValue, TypeValue, UintValue } from "../values/value.js";

function failed(from: CelType, to: CelType): EvalFailure {
  return new EvalFailure(`type conversion error from '${from.name}' to '${to.name}'`);
}

function identity<T extends CelValue>(id: string, type: TypeOf<T>): Overload {
  return overload<[T]>(id, [type], type, (value) => value);
}

function parsed<T extends CelValue>(text: string, type: TypeOf<T>, parse: (text: string) => T | undefined): T {
  const value = parse(text);
  if (value === undefined) throw failed(stringType, type);
  return value;
}

function parseInteger(text: string, min: bigint, max: bigint): bigint | undefined {
  const pattern = min < 0n ? /^[+-]?\d+$/ : /^\d+$/;
  if (!pattern.test(text)) return undefined;
  const digits = text.replace(/^([+-]?)0+(?=\d)/, "$1");
  // BigInt takes a time that grows faster than the number of digits.
  if (digits.length > 21) return undefined;
  const value = BigInt(digits.replace(/^\+/, ""));
  return value < min || value > max ? undefined : value;
}

const floats = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/;

function parseFloat64(text: string): number | undefined {
  const special = /^([+-]?)(?:(inf|infinity)|(nan))$/i.exec(text);
  if (special !== null) return special[3] !== undefined ? Number.NaN : special[1] === "-" ? -Infinity : Infinity;
  const value = floats.test(text) ? Number(text) : Number.NaN;
  return Number.isFinite(value) ? value : undefined;
}

const trueWords = ["1", "t", "T", "TRUE", "true", "True"];
const falseWords = ["0", "f", "F", "FALSE", "false", "False"];

function parseBool(text: string): boolean | undefined {
  if (trueWords.includes(text)) return true;
  return falseWords.includes(text) ? false : undefined;
}

function decodeUtf8(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new EvalFailure("invalid UTF-8 in bytes, cannot convert to string");
  }
}

/** Each byte may be a quarter of a character, and each character up to four bytes. */
function walk(sizes: (min: number, max: number) => readonly [number, number]): Pick<Overload, "cost" | "estimate"> {
  const estimate: EstimateCall = ({ args: [arg], sizeOf }) => {
    if (arg === undefined) return undefined;
    const size = sizeOf(arg);
    const [min, max] = sizes(size.min, size.max);
    return { cost: scale(size, stringFactor), size: { min, max } };
  };
  return { cost: ([value]) => traversal(value as CelValue), estimate };
}

const a = paramType("A");

/** `int()`, `string()` and the other functions named after types. */
export const conversions: readonly FunctionDecl[] = [
  {
    name: "bool",
    overloads: [
      identity("bool_to_bool", boolType),
      overload("string_to_bool", [stringType], boolType, (text) => parsed(text, boolType, parseBool)),
    ],
  },
  {
    name: "bytes",
    overloads: [
      identity("bytes_to_bytes", bytesType),
      {
        ...overload("string_to_bytes", [stringType], bytesType, (text) => new TextEncoder().encode(text)),
        ...walk((min, max) => [min, max * 4]),
      },
    ],
  },
  {
    name: "double",
    overloads: [
      identity("double_to_double", doubleType),
      overload("int64_to_double", [intType], doubleType, (value) => double(Number(value))),
      overload("string_to_double", [stringType], doubleType, (text) =>
        parsed(text, doubleType, (given) => {
          const value = parseFloat64(given);
          return value === undefined ? undefined : double(value);
        }),
      ),
      overload("uint64_to_double", [uintType], doubleType, ({ value }) => double(Number(value))),
    ],
  },
  {
    name: "duration",
    overloads: [
      identity("duration_to_duration", durationType),
      // Declared, but cel-go converts no int.
      overload("int64_to_duration", [intType], durationType, (_nanos) => {
        throw failed(intType, durationType);
      }),
      overload("string_to_duration", [stringType], durationType, (text) => parsed(text, durationType, parseDuration)),
    ],
  },
  { name: "dyn", overloads: [overload("to_dyn", [a], dynType, (value) => value)] },
  {
    name: "int",
    overloads: [
      identity("int64_to_int64", intType),
      overload("double_to_int64", [doubleType], intType, ({ value }) => intFromDouble(value)),
      overload("duration_to_int64", [durationType], intType, ({ nanos }) => intFromBigInt(nanos)),
      overload("string_to_int64", [stringType], intType, (text) =>
        parsed(text, intType, (given) => {
          const value = parseInteger(given, minInt, maxInt);
          return value === undefined ? undefined : intFromBigInt(value);
        }),
      ),
      overload("timestamp_to_int64", [timestampType], intType, ({ seconds }) => seconds),
      overload("uint64_to_int64", [uintType], intType, ({ value }) => {
        if (value > maxInt) throw new EvalFailure("integer overflow");
        return intFromBigInt(value);
      }),
    ],
  },
  {
    name: "string",
    overloads: [
      identity("string_to_string", stringType),
      overload("bool_to_string", [boolType], stringType, String),
      {
        ...overload("bytes_to_string", [bytesType], stringType, decodeUtf8),
        ...walk((min, max) => [Math.floor(min / 4), max]),
      },
      overload("double_to_string", [doubleType], stringType, ({ value }) => formatDouble(value)),
      overload("duration_to_string", [durationType], stringType, formatDuration),
      overload("int64_to_string", [intType], stringType, String),
      overload("timestamp_to_string", [timestampType], stringType, formatTimestamp),
      overload("uint64_to_string", [uintType], stringType, ({ value }) => String(value)),
    ],
  },
  {
    name: "timestamp",
    overloads: [
      identity("timestamp_to_timestamp", timestampType),
      overload("int64_to_timestamp", [intType], timestampType, (seconds) => timestamp(Number(seconds), 0)),
      overload("string_to_timestamp", [stringType], timestampType, (text) =>
        parsed(text, timestampType, parseTimestamp),
      ),
    ],
  },
  { name: "type", overloads: [overload("type", [a], typeOfType(a), (value) => new TypeValue(typeOf(value)))] },
  {
    name: "uint",
    overloads: [
      identity("uint64_to_uint64", uintType),
      overload("double_to_uint64", [doubleType], uintType, ({ value }) => uintFromDouble(value)),
      overload("int64_to_uint64", [intType], uintType, (value) => uintFromBigInt(BigInt(value))),
      overload("string_to_uint64", [stringType], uintType, (text) =>
        parsed(text, uintType, (given) => {
          const value = parseInteger(given, 0n, maxUint);
          return value === undefined ? undefined : new UintValue(value);
        }),
      ),
    ],
  },
];
