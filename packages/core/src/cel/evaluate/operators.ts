import { compare } from "../values/equality.js";
import { noSuchOverload } from "../values/eval-failure.js";
import {
  addInts,
  divideInts,
  divideUints,
  double,
  moduloInts,
  moduloUints,
  multiplyInts,
  negateInt,
  subtractInts,
  uintFromBigInt,
} from "../values/number.js";
import { addDuration, duration, nanosOf } from "../values/time.js";
import { type CelValue, DoubleValue, DurationValue, ListValue, TimestampValue, UintValue } from "../values/value.js";
import { work } from "../values/work.js";

type Binary = (left: CelValue, right: CelValue) => CelValue;

function isInt(value: CelValue): value is number | bigint {
  return typeof value === "number" || typeof value === "bigint";
}

function plus(left: CelValue, right: CelValue): CelValue {
  if (isInt(left)) {
    if (isInt(right)) return addInts(left, right);
  } else if (typeof left === "string") {
    if (typeof right === "string") return left + right;
  } else if (left instanceof ListValue) {
    if (right instanceof ListValue) return left.concat(right);
  } else if (left instanceof DoubleValue) {
    if (right instanceof DoubleValue) return double(left.value + right.value);
  } else if (left instanceof UintValue) {
    if (right instanceof UintValue) return uintFromBigInt(left.value + right.value);
  } else if (left instanceof DurationValue) {
    if (right instanceof DurationValue) return duration(left.nanos + right.nanos);
    if (right instanceof TimestampValue) return addDuration(right, left.nanos);
  } else if (left instanceof TimestampValue) {
    if (right instanceof DurationValue) return addDuration(left, right.nanos);
  } else if (left instanceof Uint8Array && right instanceof Uint8Array) {
    work(left.length + right.length);
    return new Uint8Array(Buffer.concat([left, right]));
  }
  throw noSuchOverload();
}

function minus(left: CelValue, right: CelValue): CelValue {
  if (isInt(left) && isInt(right)) return subtractInts(left, right);
  if (left instanceof DoubleValue && right instanceof DoubleValue) return double(left.value - right.value);
  if (left instanceof UintValue && right instanceof UintValue) return uintFromBigInt(left.value - right.value);
  if (left instanceof DurationValue && right instanceof DurationValue) return duration(left.nanos - right.nanos);
  if (left instanceof TimestampValue && right instanceof DurationValue) return addDuration(left, -right.nanos);
  if (left instanceof TimestampValue && right instanceof TimestampValue)
    return duration(nanosOf(left) - nanosOf(right));
  throw noSuchOverload();
}

function times(left: CelValue, right: CelValue): CelValue {
  if (isInt(left) && isInt(right)) return multiplyInts(left, right);
  if (left instanceof DoubleValue && right instanceof DoubleValue) return double(left.value * right.value);
  if (left instanceof UintValue && right instanceof UintValue) return uintFromBigInt(left.value * right.value);
  throw noSuchOverload();
}

function divide(left: CelValue, right: CelValue): CelValue {
  if (isInt(left) && isInt(right)) return divideInts(left, right);
  if (left instanceof DoubleValue && right instanceof DoubleValue) return double(left.value / right.value);
  if (left instanceof UintValue && right instanceof UintValue) return divideUints(left, right);
  throw noSuchOverload();
}

function modulo(left: CelValue, right: CelValue): CelValue {
  if (isInt(left) && isInt(right)) return moduloInts(left, right);
  if (left instanceof UintValue && right instanceof UintValue) return moduloUints(left, right);
  throw noSuchOverload();
}

/** The operators that evaluate both operands and nothing else. */
export const binaryOperators: Readonly<Record<string, Binary>> = {
  "_+_": plus,
  "_-_": minus,
  "_*_": times,
  "_/_": divide,
  "_%_": modulo,
  "_<_": (left, right) =>
    typeof left === "number" && typeof right === "number" ? left < right : compare(left, right) < 0,
  "_<=_": (left, right) =>
    typeof left === "number" && typeof right === "number" ? left <= right : compare(left, right) <= 0,
  "_>_": (left, right) =>
    typeof left === "number" && typeof right === "number" ? left > right : compare(left, right) > 0,
  "_>=_": (left, right) =>
    typeof left === "number" && typeof right === "number" ? left >= right : compare(left, right) >= 0,
};

export function negate(value: CelValue): CelValue {
  if (isInt(value)) return negateInt(value);
  if (value instanceof DoubleValue) return double(-value.value);
  if (value instanceof DurationValue) return duration(-value.nanos);
  throw noSuchOverload();
}

export function not(value: CelValue): CelValue {
  if (typeof value === "boolean") return !value;
  throw noSuchOverload();
}
