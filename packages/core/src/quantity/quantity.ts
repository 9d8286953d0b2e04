import { OperatorError } from "../errors/index.js";

/** The format of a quantity: decimal suffixes (`m`, `k`, `M`), binary suffixes (`Ki`, `Mi`), or an exponent (`e3`). */
export type QuantityFormat = "DecimalSI" | "BinarySI" | "DecimalExponent";

const pattern = /^([+-]?)([0-9]*)(?:(\.)([0-9]*))?((?:[eEinumkKMGTP]+[-+]?|[-+])[0-9]*|)$/;
const decimalSuffixes = ["n", "u", "m", "", "k", "M", "G", "T", "P", "E"];
const binarySuffixes = ["", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei"];
/** Kubernetes rounds up to nanos. */
const smallestExponent = -9;
/** Larger exponents are rejected, because aligning two such numbers would exhaust memory. */
const largestExponent = 1_000;
const maxBinary = 2n ** 63n - 1n;

/**
 * A resource quantity, such as `500m` of CPU or `2Gi` of memory: exact, of any size.
 *
 * Immutable. Parses and formats exactly as Kubernetes does. Compare with {@link compare}, not as strings, because one quantity has many
 * string forms (`1`, `1000m`, `1.0`).
 */
export class Quantity {
  /** The value is `#digits * 10 ** #exponent`. */
  readonly #digits: bigint;
  readonly #exponent: number;
  readonly format: QuantityFormat;
  /** The parsed string, if Kubernetes would print it again. */
  readonly #text: string | undefined;

  private constructor(digits: bigint, exponent: number, format: QuantityFormat, text?: string) {
    this.#digits = digits;
    this.#exponent = exponent;
    this.format = format;
    this.#text = text;
  }

  /** Parses a quantity. Throws API_INVALID with Kubernetes' message. */
  static parse(text: string): Quantity {
    const match = text === "" ? null : pattern.exec(text);
    if (!match) {
      throw invalid("quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'");
    }
    const [, sign, whole = "", , rawFraction = "", suffix = ""] = match;
    const { base, exponent, format } = readSuffix(suffix);
    if (Math.abs(exponent) > largestExponent) throw invalid(`the exponent of quantity "${text}" is too large`);
    const num = whole.replace(/^0+/, "") || "0";
    const digits = BigInt(`${num}${rawFraction}`);
    const fast =
      base === 10 ? num.length + rawFraction.length <= 18 : rawFraction === "" && binaryFits(num.length, exponent);
    const scaled = base === 10 ? exponent - rawFraction.length : -rawFraction.length;
    if (digits === 0n) return new Quantity(0n, 0, format, text === "0" ? text : undefined);
    const signed = (sign === "-" ? -1n : 1n) * digits * (base === 2 ? 2n ** BigInt(exponent) : 1n);
    if (fast && scaled >= smallestExponent) {
      const printsAsRead =
        format === "BinarySI" ? (digits & 7n) !== 0n : printsDecimalAsRead(`${num}${rawFraction}`, scaled);
      return new Quantity(signed, scaled, format, printsAsRead ? text : undefined);
    }
    return Quantity.#rounded(signed, scaled, format);
  }

  /** A quantity of whole units. */
  static of(units: number | bigint, format: QuantityFormat = "DecimalSI"): Quantity {
    return new Quantity(BigInt(units), 0, format);
  }

  static #rounded(digits: bigint, exponent: number, format: QuantityFormat): Quantity {
    const rounded =
      exponent < smallestExponent
        ? new Quantity(scaleUp(digits, exponent - smallestExponent), smallestExponent, format)
        : new Quantity(digits, exponent, format);
    if (format !== "BinarySI") return rounded;
    if (rounded.compare(Quantity.of(maxBinary)) > 0) return new Quantity(maxBinary, 0, format);
    if (rounded.compare(Quantity.of(-maxBinary)) < 0) return new Quantity(-maxBinary, 0, format);
    const isFraction = rounded.compare(Quantity.of(1)) < 0 && rounded.compare(Quantity.of(-1)) > 0;
    return isFraction ? new Quantity(rounded.#digits, rounded.#exponent, "DecimalSI") : rounded;
  }

  /** Negative, zero or positive if this is less than, equal to or greater than `other`. */
  compare(other: Quantity): number {
    const exponent = Math.min(this.#exponent, other.#exponent);
    const difference = this.#at(exponent) - other.#at(exponent);
    return difference < 0n ? -1 : difference > 0n ? 1 : 0;
  }

  equals(other: Quantity): boolean {
    return this.compare(other) === 0;
  }

  /** The sum, in the format of this quantity; zero takes the format of the other. */
  add(other: Quantity): Quantity {
    const exponent = Math.min(this.#exponent, other.#exponent);
    const format = this.#digits === 0n ? other.format : this.format;
    return new Quantity(this.#at(exponent) + other.#at(exponent), exponent, format);
  }

  subtract(other: Quantity): Quantity {
    return this.add(other.negate());
  }

  negate(): Quantity {
    return new Quantity(-this.#digits, this.#exponent, this.format);
  }

  multiply(factor: number | bigint): Quantity {
    return new Quantity(this.#digits * BigInt(factor), this.#exponent, this.format);
  }

  /** -1, 0 or 1. */
  get sign(): -1 | 0 | 1 {
    return this.#digits === 0n ? 0 : this.#digits < 0n ? -1 : 1;
  }

  /** Whole units, rounded away from zero: 2 for `1500m`. */
  toUnits(): bigint {
    return scaleUp(this.#digits, this.#exponent);
  }

  /** Whole milli-units, rounded away from zero: 1500 for `1.5`. */
  toMilliUnits(): bigint {
    return scaleUp(this.#digits, this.#exponent + 3);
  }

  /** The nearest number; may lose precision. */
  toNumber(): number {
    return Number(`${this.#digits}e${this.#exponent}`);
  }

  /** The canonical form: no fraction, the largest suffix that keeps the value exact. */
  toString(): string {
    if (this.#text !== undefined) return this.#text;
    if (this.#digits === 0n) return "0";
    if (this.format === "BinarySI" && this.#exponent >= 0 && absolute(this.#at(0)) >= 1024n)
      return binaryText(this.#at(0));
    const isWholeBinary =
      this.format === "BinarySI" && this.#digits % 10n ** BigInt(Math.max(0, -this.#exponent)) === 0n;
    if (isWholeBinary && absolute(this.toUnits()) >= 1024n) return binaryText(this.toUnits());
    return decimalText(this.#digits, this.#exponent, this.format === "DecimalExponent");
  }

  toJSON(): string {
    return this.toString();
  }

  /** The digits scaled to a smaller exponent. */
  #at(exponent: number): bigint {
    return this.#digits * 10n ** BigInt(this.#exponent - exponent);
  }
}

function readSuffix(suffix: string): {
  readonly base: 2 | 10;
  readonly exponent: number;
  readonly format: QuantityFormat;
} {
  const decimal = decimalSuffixes.indexOf(suffix);
  if (decimal >= 0) return { base: 10, exponent: decimal * 3 - 9, format: "DecimalSI" };
  const binary = binarySuffixes.indexOf(suffix);
  if (binary > 0) return { base: 2, exponent: binary * 10, format: "BinarySI" };
  const exponent = /^[eE]([+-]?[0-9]+)$/.exec(suffix)?.[1];
  if (exponent === undefined) throw invalid("unable to parse quantity's suffix");
  return { base: 10, exponent: Number(exponent), format: "DecimalExponent" };
}

/** Whether Kubernetes takes its fast path for a binary quantity: it fits into 64 bits by an estimate from its digits. */
function binaryFits(digits: number, exponent: number): boolean {
  return 15 - digits - Math.trunc((exponent * 3) / 10) - 1 >= 0;
}

/** Kubernetes prints some quantities as they were parsed, although another string is canonical. */
function printsDecimalAsRead(digits: string, exponent: number): boolean {
  return exponent % 3 === 0 && !digits.endsWith("000") && !digits.startsWith("0");
}

function decimalText(digits: bigint, exponent: number, withExponent: boolean): string {
  const written = String(digits);
  let end = written.length;
  while (end > 1 && written.charAt(end - 1) === "0") end--;
  let rest = BigInt(written.slice(0, end));
  let power = exponent + written.length - end;
  while (power % 3 !== 0 || (!withExponent && power > 18)) {
    rest *= 10n;
    power--;
  }
  if (withExponent) return power === 0 ? `${rest}` : `${rest}e${power}`;
  return `${rest}${decimalSuffixes[(power + 9) / 3] ?? ""}`;
}

function binaryText(units: bigint): string {
  let rest = units;
  let power = 0;
  while (rest % 1024n === 0n && power < binarySuffixes.length - 1) {
    rest /= 1024n;
    power++;
  }
  return `${rest}${binarySuffixes[power] ?? ""}`;
}

/** `digits * 10 ** exponent` as a whole number, rounded away from zero. */
function scaleUp(digits: bigint, exponent: number): bigint {
  if (exponent >= 0) return digits * 10n ** BigInt(exponent);
  const divisor = 10n ** BigInt(-exponent);
  const quotient = digits / divisor;
  if (digits % divisor === 0n) return quotient;
  return digits < 0n ? quotient - 1n : quotient + 1n;
}

function absolute(value: bigint): bigint {
  return value < 0n ? -value : value;
}

function invalid(message: string): OperatorError {
  return new OperatorError("API_INVALID", message);
}
