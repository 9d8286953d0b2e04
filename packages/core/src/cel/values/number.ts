import { EvalFailure } from "./eval-failure.js";
import { DoubleValue, UintValue } from "./value.js";

/** An int: a number where exact, a bigint beyond 2^53. */
export type IntValue = number | bigint;

export const minInt = -(2n ** 63n);
export const maxInt = 2n ** 63n - 1n;
export const maxUint = 2n ** 64n - 1n;

const maxSafe = BigInt(Number.MAX_SAFE_INTEGER);
const intOverflow = "integer overflow";
const uintOverflow = "unsigned integer overflow";

/** The one representation of an int that is in range. */
export function intFromBigInt(value: bigint): IntValue {
  return value >= -maxSafe && value <= maxSafe ? Number(value) : value;
}

export function double(value: number): DoubleValue {
  return new DoubleValue(value);
}

export function addInts(left: IntValue, right: IntValue): IntValue {
  if (typeof left === "number" && typeof right === "number") {
    const sum = left + right;
    if (Number.isSafeInteger(sum)) return sum;
  }
  return checkedInt(BigInt(left) + BigInt(right));
}

export function subtractInts(left: IntValue, right: IntValue): IntValue {
  if (typeof left === "number" && typeof right === "number") {
    const difference = left - right;
    if (Number.isSafeInteger(difference)) return difference;
  }
  return checkedInt(BigInt(left) - BigInt(right));
}

export function multiplyInts(left: IntValue, right: IntValue): IntValue {
  if (typeof left === "number" && typeof right === "number") {
    const product = left * right;
    // Zero is added because -0 is no int.
    if (Number.isSafeInteger(product)) return product + 0;
  }
  return checkedInt(BigInt(left) * BigInt(right));
}

export function divideInts(left: IntValue, right: IntValue): IntValue {
  if (right === 0) throw new EvalFailure("division by zero");
  if (typeof left === "number" && typeof right === "number") return Math.trunc(left / right) + 0;
  return checkedInt(BigInt(left) / BigInt(right));
}

export function moduloInts(left: IntValue, right: IntValue): IntValue {
  if (right === 0) throw new EvalFailure("modulus by zero");
  if (typeof left === "number" && typeof right === "number") return (left % right) + 0;
  if (BigInt(left) === minInt && right === -1) throw new EvalFailure(intOverflow);
  return intFromBigInt(BigInt(left) % BigInt(right));
}

export function negateInt(value: IntValue): IntValue {
  return typeof value === "number" ? 0 - value : checkedInt(-value);
}

function checkedInt(value: bigint): IntValue {
  if (value < minInt || value > maxInt) throw new EvalFailure(intOverflow);
  return intFromBigInt(value);
}

export function uintFromBigInt(value: bigint): UintValue {
  if (value < 0n || value > maxUint) throw new EvalFailure(uintOverflow);
  return new UintValue(value);
}

export function divideUints(left: UintValue, right: UintValue): UintValue {
  if (right.value === 0n) throw new EvalFailure("division by zero");
  return new UintValue(left.value / right.value);
}

export function moduloUints(left: UintValue, right: UintValue): UintValue {
  if (right.value === 0n) throw new EvalFailure("modulus by zero");
  return new UintValue(left.value % right.value);
}

/** A double as an int, without its fraction. */
export function intFromDouble(value: number): IntValue {
  if (!(value > -(2 ** 63) && value < 2 ** 63)) throw new EvalFailure(intOverflow);
  return intFromBigInt(BigInt(Math.trunc(value)));
}

export function uintFromDouble(value: number): UintValue {
  if (!(value >= 0 && value < 2 ** 64)) throw new EvalFailure(uintOverflow);
  return new UintValue(BigInt(Math.trunc(value)));
}

/** Below zero, zero or above it; NaN when a NaN takes part. A double and a whole number compare as doubles, as in cel-go. */
export function compareNumbers(
  left: IntValue | UintValue | DoubleValue,
  right: IntValue | UintValue | DoubleValue,
): number {
  const asDoubles = left instanceof DoubleValue || right instanceof DoubleValue;
  const [a, b] = asDoubles ? [Number(plain(left)), Number(plain(right))] : [plain(left), plain(right)];
  if (a < b) return -1;
  if (a > b) return 1;
  return Number.isNaN(a) || Number.isNaN(b) ? Number.NaN : 0;
}

function plain(value: IntValue | UintValue | DoubleValue): number | bigint {
  return value instanceof DoubleValue || value instanceof UintValue ? value.value : value;
}

/** A double as Go prints it with `%g`. */
export function formatDouble(value: number): string {
  if (Number.isNaN(value)) return "NaN";
  if (!Number.isFinite(value)) return value > 0 ? "+Inf" : "-Inf";
  if (value === 0) return Object.is(value, -0) ? "-0" : "0";
  const [digits = "", power = "0"] = value.toExponential().split("e");
  const exponent = Number(power);
  if (exponent >= -4 && exponent < 6) return decimal(value);
  return `${digits}e${exponent < 0 ? "-" : "+"}${String(Math.abs(exponent)).padStart(2, "0")}`;
}

/** A double without an exponent, in the fewest digits that read back as the same. */
export function decimal(value: number): string {
  const text = String(value);
  if (!text.includes("e")) return text;
  const [, sign = "", whole = "", fraction = "", power = "0"] = /^(-?)(\d)(?:\.(\d+))?e([+-]\d+)$/.exec(text) ?? [];
  const digits = whole + fraction;
  const exponent = Number(power);
  if (exponent < 0) return `${sign}0.${"0".repeat(-exponent - 1)}${digits}`;
  return sign + digits.padEnd(exponent + 1, "0");
}
