import { compare } from "../values/equality.js";
import { EvalFailure, noSuchOverload } from "../values/eval-failure.js";
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

/** Types whose values are asked themselves what an operator means, and do not name it in their error. */
function isReceiver(value: CelValue): boolean {
  return typeof value === "string" || value instanceof TimestampValue || value instanceof DurationValue;
}

/** cel-go names the operator if it is not defined for the type of the left operand, whatever the right one is. */
function misfit(name: string, left: CelValue, isDefined: boolean): EvalFailure {
  return isDefined || isReceiver(left) ? noSuchOverload() : new EvalFailure(`no such overload: ${name}`);
}

function isNumeric(value: CelValue): boolean {
  return isInt(value) || value instanceof DoubleValue || value instanceof UintValue;
}

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
  throw misfit("_+_", left, isNumeric(left) || left instanceof ListValue || left instanceof Uint8Array);
}

function minus(left: CelValue, right: CelValue): CelValue {
  if (isInt(left) && isInt(right)) return subtractInts(left, right);
  if (left instanceof DoubleValue && right instanceof DoubleValue) return double(left.value - right.value);
  if (left instanceof UintValue && right instanceof UintValue) return uintFromBigInt(left.value - right.value);
  if (left instanceof DurationValue && right instanceof DurationValue) return duration(left.nanos - right.nanos);
  if (left instanceof TimestampValue && right instanceof DurationValue) return addDuration(left, -right.nanos);
  if (left instanceof TimestampValue && right instanceof TimestampValue)
    return duration(nanosOf(left) - nanosOf(right));
  throw misfit("_-_", left, isNumeric(left));
}

function times(left: CelValue, right: CelValue): CelValue {
  if (isInt(left) && isInt(right)) return multiplyInts(left, right);
  if (left instanceof DoubleValue && right instanceof DoubleValue) return double(left.value * right.value);
  if (left instanceof UintValue && right instanceof UintValue) return uintFromBigInt(left.value * right.value);
  throw misfit("_*_", left, isNumeric(left));
}

function divide(left: CelValue, right: CelValue): CelValue {
  if (isInt(left) && isInt(right)) return divideInts(left, right);
  if (left instanceof DoubleValue && right instanceof DoubleValue) return double(left.value / right.value);
  if (left instanceof UintValue && right instanceof UintValue) return divideUints(left, right);
  throw misfit("_/_", left, isNumeric(left));
}

function modulo(left: CelValue, right: CelValue): CelValue {
  if (isInt(left) && isInt(right)) return moduloInts(left, right);
  if (left instanceof UintValue && right instanceof UintValue) return moduloUints(left, right);
  throw misfit("_%_", left, isInt(left) || left instanceof UintValue);
}

function ordered(name: string, left: CelValue, right: CelValue): number {
  const isDefined = typeof left === "boolean" || isNumeric(left) || left instanceof Uint8Array;
  if (!isDefined && !isReceiver(left)) throw misfit(name, left, false);
  return compare(left, right);
}

/** The operators that evaluate both operands and nothing else. */
export const binaryOperators: Readonly<Record<string, Binary>> = {
  "_+_": plus,
  "_-_": minus,
  "_*_": times,
  "_/_": divide,
  "_%_": modulo,
  "_<_": (left, right) =>
    typeof left === "number" && typeof right === "number" ? left < right : ordered("_<_", left, right) < 0,
  "_<=_": (left, right) =>
    typeof left === "number" && typeof right === "number" ? left <= right : ordered("_<=_", left, right) <= 0,
  "_>_": (left, right) =>
    typeof left === "number" && typeof right === "number" ? left > right : ordered("_>_", left, right) > 0,
  "_>=_": (left, right) =>
    typeof left === "number" && typeof right === "number" ? left >= right : ordered("_>=_", left, right) >= 0,
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
