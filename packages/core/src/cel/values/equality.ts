import { EvalFailure, noSuchOverload } from "./eval-failure.js";
import { compareNumbers } from "./number.js";
import { nanosOf } from "./time.js";
import {
  type CelValue,
  DoubleValue,
  DurationValue,
  ListValue,
  MapValue,
  OpaqueValue,
  OptionalValue,
  TimestampValue,
  TypeValue,
  UintValue,
} from "./value.js";
import { work } from "./work.js";

/** Equality across types: numbers by value, lists and maps by what they hold, values of different types never. */
export function equals(left: CelValue, right: CelValue): boolean {
  if (typeof left === "string") {
    if (left.length > 64) work(left.length >> 4);
    return left === right;
  }
  // NaN does not equal itself, nor does a list of type map with two elements of one key.
  if (left === right && (typeof left !== "object" || left === null)) return true;
  if (typeof left === "boolean" || left === null || right === null) return false;
  if (isNumber(left)) return isNumber(right) && compareNumbers(left, right) === 0;
  if (left instanceof ListValue) return right instanceof ListValue && equalLists(left, right);
  if (left instanceof MapValue) return right instanceof MapValue && equalMaps(left, right);
  if (left instanceof TimestampValue) {
    return right instanceof TimestampValue && left.seconds === right.seconds && left.nanos === right.nanos;
  }
  if (left instanceof DurationValue) return right instanceof DurationValue && left.nanos === right.nanos;
  if (left instanceof Uint8Array) return right instanceof Uint8Array && compareBytes(left, right) === 0;
  if (left instanceof OptionalValue) return right instanceof OptionalValue && equalOptionals(left, right);
  if (left instanceof TypeValue) return right instanceof TypeValue && left.type.name === right.type.name;
  return right instanceof OpaqueValue && left.type.name === right.type.name && left.equals(right);
}

function isNumber(value: CelValue): value is number | bigint | DoubleValue | UintValue {
  return (
    typeof value === "number" || typeof value === "bigint" || value instanceof DoubleValue || value instanceof UintValue
  );
}

function equalLists(left: ListValue, right: ListValue): boolean {
  if (left.length !== right.length) return false;
  work(left.length * 20);
  const special = left.equals(right);
  if (special !== undefined) return special;
  for (let index = 0; index < left.length; index++) if (!equals(left.at(index), right.at(index))) return false;
  return true;
}

function equalMaps(left: MapValue, right: MapValue): boolean {
  if (left.size !== right.size || left.type?.name !== right.type?.name) return false;
  work(left.size * 50);
  if (left.hidesOtherThan(right)) return false;
  return left.keys().every((key) => {
    const value = left.get(key);
    const other = right.get(key);
    return value === undefined || other === undefined ? value === other : equals(value, other);
  });
}

function equalOptionals(left: OptionalValue, right: OptionalValue): boolean {
  if (left.value === undefined || right.value === undefined) return left.value === right.value;
  return equals(left.value, right.value);
}

/** -1, 0 or 1. Throws for values that have no order, or none between them. */
export function compare(left: CelValue, right: CelValue): number {
  if (typeof left === "string") {
    if (typeof right === "string") return compareStrings(left, right);
  } else if (isNumber(left)) {
    if (isNumber(right)) {
      const order = compareNumbers(left, right);
      if (Number.isNaN(order)) throw new EvalFailure("NaN values cannot be ordered");
      return order;
    }
  } else if (typeof left === "boolean") {
    if (typeof right === "boolean") return Number(left) - Number(right);
  } else if (left instanceof TimestampValue) {
    if (right instanceof TimestampValue) return order(nanosOf(left), nanosOf(right));
  } else if (left instanceof DurationValue) {
    if (right instanceof DurationValue) return order(left.nanos, right.nanos);
  } else if (left instanceof Uint8Array && right instanceof Uint8Array) {
    return compareBytes(left, right);
  }
  throw noSuchOverload();
}

function order(left: bigint, right: bigint): number {
  return left < right ? -1 : left > right ? 1 : 0;
}

/** By code points, which is the order of the bytes of UTF-8. */
function compareStrings(left: string, right: string): number {
  if (left === right) {
    work(left.length >> 4);
    return 0;
  }
  const length = Math.min(left.length, right.length);
  let index = 0;
  while (index < length && left.charCodeAt(index) === right.charCodeAt(index)) index++;
  work(index);
  if (index < length) {
    const a = left.charCodeAt(index);
    const b = right.charCodeAt(index);
    // Surrogates stand for code points above all others.
    const isHighA = a >= 0xd800 && a < 0xe000;
    const isHighB = b >= 0xd800 && b < 0xe000;
    if (isHighA !== isHighB) return isHighA ? 1 : -1;
    return a < b ? -1 : 1;
  }
  return Math.sign(left.length - right.length);
}

function compareBytes(left: Uint8Array, right: Uint8Array): number {
  return Buffer.compare(left, right);
}
